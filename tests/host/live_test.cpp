#include "host/live.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>

#include "base/text.h"
#include "host/ask.h"
#include "host/commands.h"
#include "host/temporary_folder.h"

namespace whygpu {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Live : public testing::Test {
protected:
    Answer ask(QueryKind kind, const std::string& argument) { return host_->answer({kind, argument}); }

    const TemporaryFolder folder_;
    const std::unique_ptr<Host> host_ = make_live_host(LiveOptions{});
};

TEST_F(Live, ReadsRegularAndPseudoFiles) {
    EXPECT_EQ(ask(QueryKind::file, folder_.write("a", "one\ntwo")).text, "one\ntwo");
    EXPECT_THAT(ask(QueryKind::file, "/proc/version").text, StartsWith("Linux version"));
}

TEST_F(Live, CutsFilesAtFourMebibytes) {
    const std::string path = folder_.write("big", std::string((4 << 20) + 1, 'x'));
    const Answer answer = ask(QueryKind::file, path);
    EXPECT_EQ(answer.text.size(), std::size_t{4} << 20);
    EXPECT_TRUE(answer.truncated);
    EXPECT_FALSE(ask(QueryKind::file, folder_.write("fits", std::string(4 << 20, 'x'))).truncated);
}

TEST_F(Live, TellsTheWaysApartInWhichAFileIsNotThere) {
    EXPECT_EQ(ask(QueryKind::file, folder_ / "none").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, folder_.write("a", "") + "/below").missing, Missing::absent);
    EXPECT_EQ(ask(QueryKind::file, folder_.path()).missing, Missing::unsupported);
    EXPECT_EQ(ask(QueryKind::file, "relative").missing, Missing::malformed);
    EXPECT_EQ(ask(QueryKind::file, std::string("/proc\0x", 7)).missing, Missing::malformed);
    // Reading the start of our own address space is an I/O error, not an empty file.
    const Answer broken = ask(QueryKind::file, "/proc/self/mem");
    EXPECT_EQ(broken.missing, Missing::malformed);
    EXPECT_EQ(broken.because, "Input/output error");
}

TEST_F(Live, SaysWhenAFileMayNotBeRead) {
    if (geteuid() == 0) {
        GTEST_SKIP() << "root may read everything";
    }
    const std::string path = folder_.write("secret", "x");
    chmod(path.c_str(), 0);
    EXPECT_EQ(ask(QueryKind::file, path).missing, Missing::denied);
}

TEST_F(Live, OpensNoFifoAndNoDevice) {
    const std::string fifo = folder_ / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    const Answer answer = ask(QueryKind::file, fifo);
    EXPECT_EQ(answer.missing, Missing::unsupported);
    EXPECT_THAT(answer.because, HasSubstr("fifo"));
    EXPECT_EQ(ask(QueryKind::file, "/dev/zero").missing, Missing::unsupported);
    EXPECT_EQ(ask(QueryKind::directory, fifo).missing, Missing::absent);
}

TEST_F(Live, ListsDirectoriesSorted) {
    folder_.write("d/b", "");
    folder_.write("d/a", "");
    folder_.write("d/c/x", "");
    EXPECT_EQ(ask(QueryKind::directory, folder_ / "d").text, "a\nb\nc\n");
    EXPECT_THAT(*list_directory(*host_, folder_ / "d"), ElementsAre("a", "b", "c"));
    EXPECT_EQ(ask(QueryKind::directory, folder_ / "none").missing, Missing::absent);
}

TEST_F(Live, ReadsLinksAsWritten) {
    std::filesystem::create_symlink("../somewhere", folder_ / "link");
    EXPECT_EQ(*link_target(*host_, folder_ / "link"), "../somewhere");
    EXPECT_EQ(ask(QueryKind::link, folder_.write("file", "")).missing, Missing::unsupported);
}

TEST_F(Live, GivesStatusThroughLinks) {
    const std::string file = folder_.write("file", "x");
    chmod(file.c_str(), 0640);
    std::filesystem::create_symlink("file", folder_ / "good");
    std::filesystem::create_symlink("nowhere", folder_ / "dangling");
    const Known<FileStatus> status = file_status(*host_, folder_ / "good");
    ASSERT_TRUE(status.known());
    EXPECT_EQ(status->type, "file");
    EXPECT_EQ(status->mode, 0640);
    EXPECT_EQ(status->uid, getuid());
    EXPECT_TRUE(status->readable);
    EXPECT_EQ(file_status(*host_, folder_ / "dangling")->type, "link");
    EXPECT_TRUE(exists(*host_, folder_ / "good").is(true));
    EXPECT_TRUE(exists(*host_, folder_ / "dangling").is(false));
    EXPECT_TRUE(exists(*host_, folder_ / "none").is(false));
}

TEST_F(Live, GivesDeviceNumbers) {
    const Known<FileStatus> status = file_status(*host_, "/dev/null");
    ASSERT_TRUE(status.known());
    EXPECT_EQ(status->type, "char");
    EXPECT_EQ(status->major, 1);
    EXPECT_EQ(status->minor, 3);
    EXPECT_TRUE(status->writable);
}

TEST_F(Live, KnowsEnvironmentUserAndPlatform) {
    setenv("WHYGPU_TEST_LINES", "one\ntwo", 1);
    EXPECT_EQ(variables(*host_)->at("WHYGPU_TEST_LINES"), "one two");
    unsetenv("WHYGPU_TEST_LINES");
    EXPECT_EQ(key_values(*host_, QueryKind::user)->at("uid"), std::to_string(getuid()));
    utsname names{};
    uname(&names);
    EXPECT_EQ(key_values(*host_, QueryKind::platform)->at("release"), names.release);
}

TEST_F(Live, RunsOnlyListedCommands) {
    EXPECT_EQ(ask(QueryKind::command, "id").missing, Missing::not_asked);
    EXPECT_EQ(ask(QueryKind::command, "ldconfig -p; id").missing, Missing::not_asked);
    const Known<CommandOutput> cache = run_command(*host_, std::string(command::loader_cache));
    EXPECT_TRUE(cache.known() || cache.why() == Missing::absent);
    if (cache) {
        EXPECT_THAT(cache->text, HasSubstr("libc.so.6"));
    }
}

TEST_F(Live, SaysThatAProgramIsNotInstalled) {
    const std::string old_path = std::getenv("PATH");
    setenv("PATH", folder_.path().c_str(), 1);
    const Known<CommandOutput> output = run_command(*host_, "nvidia-smi -L");
    setenv("PATH", old_path.c_str(), 1);
    EXPECT_EQ(output.why(), Missing::absent);
    EXPECT_EQ(output.because(), "nvidia-smi is not installed");
}

TEST(Commands, HoldNoShellAndHaveReasons) {
    for (const AllowedCommand& entry : allowed_commands()) {
        EXPECT_FALSE(entry.reason.empty()) << entry.line;
        EXPECT_THAT(split(entry.line, ' '), testing::Not(testing::Contains(""))) << entry.line;
        EXPECT_TRUE(is_allowed(entry.line));
    }
    EXPECT_FALSE(is_allowed(""));
}

class Driver : public testing::Test {
protected:
    Answer ask(const std::string& script) {
        const std::string program = folder_.write("self", "#!/bin/sh\n" + script);
        chmod(program.c_str(), 0700);
        LiveOptions options;
        options.self_path = program;
        options.driver_timeout_ms = 400;
        return make_live_host(options)->answer({QueryKind::driver, "cuda"});
    }

    const TemporaryFolder folder_;
};

TEST_F(Driver, AsksItselfWithTheInheritedEnvironment) {
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    const Answer answer = ask("echo \"$1 $2 $CUDA_VISIBLE_DEVICES\"; exit 2");
    unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(answer.text, "_ask cuda 7\n");
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_FALSE(answer.missing.has_value());
}

TEST_F(Driver, KeepsWhatACrashedChildSaid) {
    const Answer answer = ask("echo '{\"call\":\"cuInit\"'; kill -SEGV $$");
    EXPECT_EQ(answer.missing, Missing::crashed);
    EXPECT_EQ(answer.because, "child ended by signal 11 (SIGSEGV)");
    EXPECT_EQ(answer.text, "{\"call\":\"cuInit\"\n");
}

TEST_F(Driver, GivesUpOnAChildThatHangs) {
    const Answer answer = ask("echo begun; exec sleep 20");
    EXPECT_EQ(answer.missing, Missing::timed_out);
    EXPECT_THAT(answer.because, StartsWith("no answer within 400 ms"));
    EXPECT_EQ(answer.text, "begun\n");
}

TEST_F(Driver, TakesNoOtherNames) {
    EXPECT_EQ(make_live_host(LiveOptions{})->answer({QueryKind::driver, "--help"}).missing,
              Missing::malformed);
}

}  // namespace

}  // namespace whygpu
