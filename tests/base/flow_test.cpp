#include "base/flow.h"

#include <gtest/gtest.h>

#include "base/unicode.h"

namespace whygpu {
namespace {

TEST(Flow, JoinsTheLinesOfAParagraph) {
    EXPECT_EQ(flowed("one\ntwo\n\nthree\n"), "one two\n\nthree");
    EXPECT_EQ(flowed(""), "");
}

TEST(Flow, JoinsChineseWithoutASpace) {
    EXPECT_EQ(flowed("框架会报告没有可用的 GPU，\n这是正确的"), "框架会报告没有可用的 GPU，这是正确的");
    EXPECT_EQ(flowed("驱动为\n8.0 编译"), "驱动为 8.0 编译");
}

TEST(Flow, KeepsListsAndIndentedLines) {
    EXPECT_EQ(flowed("a list:\n- one\n- two\n    sudo ls\n"), "a list:\n- one\n- two\n    sudo ls");
}

TEST(Flow, CutsPathsFromTheFront) {
    EXPECT_EQ(shortened_front("/home/u/venv/lib/python3.11/site-packages/torch/version.py:4", 24),
              "…/torch/version.py:4");
    EXPECT_EQ(shortened_front("/dev/kfd", 24), "/dev/kfd");
    EXPECT_EQ(shortened_front("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca", 20),
              "…/SecureBoot-8be4df…");
    EXPECT_LE(display_width(shortened_front(std::string(100, 'x'), 10)), 10);
    EXPECT_LE(display_width(shortened_front("路径很长很长很长很长/文件", 9)), 9);
}

}  // namespace
}  // namespace whygpu
