#include "host/tree.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "host/ask.h"
#include "host/empty.h"
#include "host/temporary_folder.h"

namespace whygpu {

namespace {

class Tree : public testing::Test {
protected:
    void SetUp() override {
        folder_.write("outside", "not for us");
        folder_.write("root/etc/os-release", "ID=test\n");
        folder_.write("root/usr/lib/libcuda.so.1", "elf");
        Result<std::unique_ptr<Host>> host = make_tree_host(folder_ / "root");
        ASSERT_TRUE(host.has_value());
        host_ = std::move(*host);
    }

    void link(const std::string& target, const std::string& name) {
        std::filesystem::create_symlink(target, folder_ / ("root/" + name));
    }

    Answer ask(QueryKind kind, const std::string& argument) { return host_->answer({kind, argument}); }

    const TemporaryFolder folder_;
    std::unique_ptr<Host> host_;
};

TEST_F(Tree, ReadsBeneathItsRoot) {
    EXPECT_EQ(ask(QueryKind::file, "/etc/os-release").text, "ID=test\n");
    EXPECT_EQ(ask(QueryKind::directory, "/").text, "etc\nusr\n");
    EXPECT_EQ(ask(QueryKind::directory, "/usr/lib/").text, "libcuda.so.1\n");
    EXPECT_EQ(file_status(*host_, "/usr/lib/libcuda.so.1")->type, "file");
    EXPECT_EQ(file_status(*host_, "/")->type, "directory");
    EXPECT_EQ(ask(QueryKind::file, "/etc/none").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, "/etc/os-release/x").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, "/etc").missing, Missing::unsupported);
}

TEST_F(Tree, TakesAbsoluteLinksFromItsRoot) {
    link("/etc/os-release", "absolute");
    link("usr/lib", "lib");
    link("/etc/passwd", "passwd");
    EXPECT_EQ(ask(QueryKind::file, "/absolute").text, "ID=test\n");
    EXPECT_EQ(ask(QueryKind::file, "/lib/libcuda.so.1").text, "elf");
    EXPECT_EQ(*link_target(*host_, "/absolute"), "/etc/os-release");
    // The running machine has a /etc/passwd, the tree has none.
    EXPECT_EQ(ask(QueryKind::file, "/passwd").missing, Missing::absent);
    EXPECT_EQ(file_status(*host_, "/passwd")->type, "link");
    EXPECT_TRUE(exists(*host_, "/passwd").is(false));
}

TEST_F(Tree, CannotBeLeft) {
    link("../outside", "up");
    link("../../../../../../../../../../etc", "far");
    link(folder_.path(), "host_path");
    EXPECT_EQ(ask(QueryKind::file, "/../outside").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, "/usr/../../outside").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, "/up").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, "/host_path/outside").missing, Missing::absent);
    // Too many ".." stop at the root, as they do on a running machine.
    EXPECT_EQ(ask(QueryKind::directory, "/far").text, "os-release\n");
    EXPECT_EQ(ask(QueryKind::file, "/far/../etc/os-release").text, "ID=test\n");
}

TEST_F(Tree, EndsLoopsAndLongWalks) {
    link("b", "a");
    link("a", "b");
    link("grow/x/x/x/x/x/x/x/x", "grow");
    EXPECT_EQ(ask(QueryKind::file, "/a").missing, Missing::malformed);
    EXPECT_EQ(ask(QueryKind::file, "/grow").missing, Missing::malformed);
    std::string deep;
    for (int level = 0; level < 1000; ++level) {
        deep += "/d";
    }
    EXPECT_EQ(ask(QueryKind::file, deep).missing, Missing::malformed);
}

TEST_F(Tree, OpensNoFifo) {
    ASSERT_EQ(mkfifo((folder_ / "root/fifo").c_str(), 0600), 0);
    EXPECT_EQ(ask(QueryKind::file, "/fifo").missing, Missing::unsupported);
}

TEST_F(Tree, RunsNothing) {
    for (const QueryKind kind :
         {QueryKind::variables, QueryKind::user, QueryKind::platform, QueryKind::command,
          QueryKind::kernel_log, QueryKind::pci_name, QueryKind::driver}) {
        const Answer answer = ask(kind, "");
        EXPECT_EQ(answer.missing, Missing::not_asked);
        EXPECT_EQ(answer.because, "an unpacked tree runs nothing");
    }
}

TEST_F(Tree, MustExist) {
    const auto host = make_tree_host(folder_ / "none");
    ASSERT_FALSE(host.has_value());
    EXPECT_EQ(host.error().code, ErrorCode::not_found);
}

TEST(EmptyHost, KnowsNothing) {
    EXPECT_EQ(make_empty_host()->answer({QueryKind::file, "/proc/version"}).missing, Missing::not_asked);
}

}  // namespace

}  // namespace whygpu
