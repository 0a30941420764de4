// Which host compilers nvcc takes.

#include "knowledge/nvcc.h"

#include <gtest/gtest.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

std::optional<int> newest_gcc(const char* toolkit) {
    return newest_gcc_for_nvcc(embedded_knowledge(), Version::parse(toolkit).value());
}

TEST(Nvcc, TakesCompilersUpToItsTimes) {
    EXPECT_EQ(newest_gcc("11.8"), 11);
    EXPECT_EQ(newest_gcc("12.3.2"), 12);
    EXPECT_EQ(newest_gcc("12.5"), 13);
    EXPECT_EQ(newest_gcc("13.0.2"), 15);
}

TEST(Nvcc, SaysNothingWhereTheTableDoesNot) {
    EXPECT_EQ(newest_gcc("10.2"), std::nullopt);
    EXPECT_EQ(newest_gcc("13.2"), std::nullopt);
    EXPECT_EQ(newest_gcc("13.5"), std::nullopt);
}

}  // namespace
}  // namespace whygpu
