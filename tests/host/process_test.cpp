#include "host/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "host/temporary_folder.h"

namespace whygpu {

namespace {

using testing::HasSubstr;

ProcessSpec shell(const std::string& script) {
    ProcessSpec spec;
    spec.program = "/bin/sh";
    spec.arguments = {"sh", "-c", script};
    return spec;
}

ProcessResult run_well(const ProcessSpec& spec) {
    Result<ProcessResult> result = run_process(spec);
    EXPECT_TRUE(result.has_value());
    return result ? *result : ProcessResult{};
}

long long milliseconds_of(const ProcessSpec& spec, ProcessResult& result) {
    const auto start = std::chrono::steady_clock::now();
    result = run_well(spec);
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start)
        .count();
}

std::size_t open_descriptors() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        ++count;
    }
    return count;
}

TEST(Process, GivesOutputErrorsAndExitCode) {
    const ProcessResult result = run_well(shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(result.text, "out\nerr\n");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.signal, 0);
    EXPECT_FALSE(result.timed_out);
}

TEST(Process, PassesArgumentsWithoutAShell) {
    ProcessSpec spec;
    spec.program = "/bin/echo";
    spec.arguments = {"echo", "$HOME", "a;b", "*"};
    EXPECT_EQ(run_well(spec).text, "$HOME a;b *\n");
}

TEST(Process, HasNoInputAndThePlainLocale) {
    EXPECT_EQ(run_well(shell("cat; echo $LC_ALL")).text, "C\n");
}

TEST(Process, InheritsTheEnvironment) {
    setenv("WHYGPU_TEST_VARIABLE", "kept", 1);
    EXPECT_EQ(run_well(shell("echo $WHYGPU_TEST_VARIABLE")).text, "kept\n");
    unsetenv("WHYGPU_TEST_VARIABLE");
}

TEST(Process, StopsAtTheDeadlineWithWhatWasPrinted) {
    ProcessSpec spec = shell("echo started; exec sleep 20");
    spec.timeout_ms = 300;
    ProcessResult result;
    EXPECT_LT(milliseconds_of(spec, result), 300 + 400);
    EXPECT_TRUE(result.timed_out);
    EXPECT_FALSE(result.abandoned);
    EXPECT_EQ(result.signal, SIGKILL);
    EXPECT_EQ(result.state, 'S');
    EXPECT_EQ(result.text, "started\n");
}

TEST(Process, KillsGrandchildrenWithTheGroup) {
    ProcessSpec spec = shell("sleep 20 & echo $!; wait");
    spec.timeout_ms = 300;
    const ProcessResult result = run_well(spec);
    const auto grandchild = parse_int(trimmed(result.text));
    ASSERT_TRUE(grandchild.has_value());
    // Dead, or a zombie until init collects it.
    const std::string state = bytes_of("/proc/" + std::to_string(*grandchild) + "/stat");
    EXPECT_TRUE(state.empty() || contains(state, ") Z") || contains(state, ") X")) << state;
}

TEST(Process, DoesNotWaitForGrandchildrenThatHoldTheOutput) {
    ProcessResult result;
    EXPECT_LT(milliseconds_of(shell("sleep 20 & echo done"), result), 2000);
    EXPECT_EQ(result.text, "done\n");
    EXPECT_FALSE(result.timed_out);
}

TEST(Process, LeavesBehindWhatDoesNotDie) {
    // A signal that the child ignores stands for SIGKILL in uninterruptible sleep.
    ProcessSpec spec = shell("trap '' TERM; echo $$; while :; do sleep 0.05; done");
    spec.timeout_ms = 200;
    spec.deadline_signal = SIGTERM;
    ProcessResult result;
    EXPECT_LT(milliseconds_of(spec, result), 200 + 400);
    EXPECT_TRUE(result.timed_out);
    EXPECT_TRUE(result.abandoned);
    EXPECT_NE(result.state, 0);
    const auto pid = parse_int(trimmed(result.text));
    ASSERT_TRUE(pid.has_value());
    kill(-static_cast<pid_t>(*pid), SIGKILL);
    EXPECT_EQ(waitpid(static_cast<pid_t>(*pid), nullptr, 0), *pid);
}

TEST(Process, CutsOutputAtTheLimitAndGoesOn) {
    ProcessSpec spec = shell("head -c 300000 /dev/zero; exit 5");
    spec.output_limit = 1000;
    const ProcessResult result = run_well(spec);
    EXPECT_EQ(result.text.size(), 1000U);
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.exit_code, 5);
}

TEST(Process, EndlessOutputEndsAtTheDeadline) {
    ProcessSpec spec = shell("exec cat /dev/zero");
    spec.timeout_ms = 200;
    spec.output_limit = 1000;
    ProcessResult result;
    EXPECT_LT(milliseconds_of(spec, result), 200 + 400);
    EXPECT_TRUE(result.timed_out);
    EXPECT_TRUE(result.truncated);
}

TEST(Process, NamesTheSignalOfACrash) {
    const ProcessResult result = run_well(shell("echo before; kill -SEGV $$"));
    EXPECT_EQ(result.signal, SIGSEGV);
    EXPECT_EQ(signal_name(result.signal), "SIGSEGV");
    EXPECT_EQ(result.text, "before\n");
    EXPECT_FALSE(result.timed_out);
}

TEST(Process, SaysThatAProgramIsMissingOrNotExecutable) {
    const TemporaryFolder folder;
    ProcessSpec spec;
    spec.arguments = {"x"};
    spec.program = folder / "missing";
    Result<ProcessResult> result = run_process(spec);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::not_found);
    spec.program = folder.write("plain", "no program");
    result = run_process(spec);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::denied);
    EXPECT_THAT(result.error().message, HasSubstr("plain"));
}

TEST(Process, KeepsDescriptorsFromTheChildAndLeaksNone) {
    // One without close-on-exec, as whygpu may have inherited it.
    const int inherited = open("/dev/null", O_RDONLY);
    const std::string probe = "test -e /proc/$$/fd/" + std::to_string(inherited) + " && echo open";
    EXPECT_EQ(run_well(shell(probe)).text, "");
    close(inherited);
    const std::size_t before = open_descriptors();
    for (int round = 0; round < 5; ++round) {
        run_well(shell("exit 0"));
    }
    ProcessSpec missing;
    missing.program = "/nonexistent";
    missing.arguments = {"x"};
    EXPECT_FALSE(run_process(missing).has_value());
    EXPECT_EQ(open_descriptors(), before);
}

TEST(Process, FindsProgramsOnAbsoluteDirectoriesOnly) {
    const TemporaryFolder folder;
    const std::string program = folder.write("bin/tool", "#!/bin/sh\n");
    EXPECT_EQ(find_program("tool", folder / "bin"), "");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    EXPECT_EQ(find_program("tool", "relative:" + folder.path() + "/none:" + folder.path() + "/bin"), program);
    EXPECT_EQ(find_program("../bin/tool", folder / "bin"), "");
    EXPECT_EQ(find_program("bin", folder.path()), "");
}

}  // namespace

}  // namespace whygpu
