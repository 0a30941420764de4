#include "host/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "host/descriptor.h"

// Why not posix_spawn or a library: glibc's posix_spawn waits in vfork until the child has called
// exec, and exec itself can hang for minutes (a program on a dead NFS mount, a driver that holds a
// lock). fork returns at once, so the deadline holds for exec too; what a failed exec has to say
// comes back through a pipe that exec closes.
//
// A process in uninterruptible sleep (state D: waiting inside a driver) does not die of SIGKILL.
// That is the very fault that whygpu is to report, so waiting for such a child is bounded and its
// wait channel, the kernel function in which it sleeps, is part of the answer.

extern char** environ;

namespace whygpu {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int death_wait_ms = 250;  // for a killed process to go away
constexpr int tick_ms = 20;         // between looks at a child that prints nothing
constexpr int silent_tick_ms = 2;   // the same once its output is closed: it is about to end
constexpr int reads_a_look = 32;    // so that an endless writer cannot hold the loop
constexpr std::uintmax_t small_file_bytes = 4096;

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
};

/// Above standard error, so that the child's dup2 never meets a descriptor that it still needs.
Descriptor above_stdio(int number) {
    Descriptor low(number);
    if (number < 0 || number > STDERR_FILENO) {
        return low;
    }
    return Descriptor(fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

std::optional<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return std::nullopt;
    }
    Descriptor first(ends[0]);
    Pipe made{Descriptor(), above_stdio(ends[1])};
    made.read_end = above_stdio(first.release());
    if (!made.read_end.valid() || !made.write_end.valid()) {
        return std::nullopt;
    }
    fcntl(made.read_end.get(), F_SETFL, O_NONBLOCK);
    return made;
}

/// Pointers for exec into texts that live as long as the list does.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_for(const ProcessSpec& spec) {
    std::vector<std::string> texts;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        if (!spec.plain_locale || !after_prefix(*variable, "LC_ALL=")) {
            texts.emplace_back(*variable);
        }
    }
    if (spec.plain_locale) {
        texts.emplace_back("LC_ALL=C");
    }
    return texts;
}

struct ChildPlan {
    const char* program;
    char* const* arguments;
    char* const* environment;
    int input;
    int output;
    int start_error;
};

/// The child between fork and exec. Only async-signal-safe calls: other threads of the parent may
/// have held any lock at the moment of the fork.
[[noreturn]] void become(const ChildPlan& plan) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    const bool connected = dup2(plan.input, STDIN_FILENO) >= 0 && dup2(plan.output, STDOUT_FILENO) >= 0 &&
                           dup2(plan.output, STDERR_FILENO) >= 0;
    if (connected) {
        // Ours close on exec anyway; this is for those that whygpu itself was started with.
        constexpr unsigned int last = ~0U;
        constexpr unsigned int close_on_exec = 4;  // CLOSE_RANGE_CLOEXEC, Linux 5.11
        syscall(SYS_close_range, STDERR_FILENO + 1, last, close_on_exec);
        execve(plan.program, plan.arguments, plan.environment);
    }
    const int error = errno;
    const ssize_t written = write(plan.start_error, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
}

struct Running {
    pid_t pid = -1;
    Descriptor output;
    Descriptor start_error;
    bool ended = false;
};

Result<Running> start(const ProcessSpec& spec) {
    std::optional<Pipe> output = make_pipe();
    std::optional<Pipe> start_error = make_pipe();
    const Descriptor input = above_stdio(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!output || !start_error || !input.valid()) {
        return fail(ErrorCode::io, "no file descriptor left to start a program");
    }
    std::vector<std::string> argument_texts = spec.arguments;
    std::vector<std::string> environment_texts = environment_for(spec);
    const std::vector<char*> arguments = pointers_to(argument_texts);
    const std::vector<char*> environment = pointers_to(environment_texts);
    const ChildPlan plan{spec.program.c_str(), arguments.data(),        environment.data(),
                         input.get(),          output->write_end.get(), start_error->write_end.get()};
    const pid_t pid = fork();
    if (pid < 0) {
        return fail(ErrorCode::io, "cannot start a process: " + std::generic_category().message(errno));
    }
    if (pid == 0) {
        become(plan);
    }
    setpgid(pid, pid);  // the child does it too: whoever comes first
    return Running{pid, std::move(output->read_end), std::move(start_error->read_end), false};
}

int ms_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

void drain(Running& child, std::size_t limit, ProcessResult& result) {
    std::array<char, 65536> buffer;
    for (int reads = 0; child.output.valid() && reads < reads_a_look; ++reads) {
        const ssize_t count = read(child.output.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno == EAGAIN) {
            return;
        }
        if (count <= 0) {
            child.output.reset();
            return;
        }
        const std::size_t kept = std::min(static_cast<std::size_t>(count), limit - result.text.size());
        result.text.append(buffer.data(), kept);
        result.truncated = result.truncated || kept < static_cast<std::size_t>(count);
    }
}

/// Collects the child if it has ended. Its group is killed while the dead child still holds the
/// group's number, so that no other group can be hit.
bool reap(Running& child, ProcessResult& result) {
    siginfo_t info{};
    const int seen = waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (seen != 0 && errno == EINTR) {
        return false;
    }
    if (seen == 0 && info.si_pid == 0) {
        return false;
    }
    child.ended = true;
    kill(-child.pid, SIGKILL);
    int status = 0;
    if (seen != 0 || waitpid(child.pid, &status, 0) != child.pid) {
        result.exit_code = -1;  // somebody ignores SIGCHLD: the kernel threw the status away
    } else if (WIFSIGNALED(status)) {
        result.signal = WTERMSIG(status);
    } else {
        result.exit_code = WEXITSTATUS(status);
    }
    return true;
}

/// Reads and waits until the child has ended or time is up.
void watch(Running& child, const ProcessSpec& spec, Clock::time_point deadline, ProcessResult& result) {
    while (!child.ended) {
        const int left = ms_until(deadline);
        pollfd waiting{child.output.get(), POLLIN, 0};  // a negative descriptor is ignored by poll
        poll(&waiting, 1, std::min(left, child.output.valid() ? tick_ms : silent_tick_ms));
        drain(child, spec.output_limit, result);
        if (!reap(child, result) && left == 0) {
            return;
        }
    }
    drain(child, spec.output_limit, result);
}

std::string small_file(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return file.valid() ? read_to_end(file, small_file_bytes).text : std::string();
}

void note_where_it_waits(pid_t pid, ProcessResult& result) {
    const std::string folder = "/proc/" + std::to_string(pid);
    const std::string channel(trimmed(small_file(folder + "/wchan")));
    result.wait_channel = channel == "0" ? "" : channel;
    // "PID (name) STATE …": the name may hold anything, also parentheses.
    const std::string stat = small_file(folder + "/stat");
    const std::size_t state = stat.rfind(") ");
    result.state = state != std::string::npos && state + 2 < stat.size() ? stat[state + 2] : '\0';
}

void end_by_force(Running& child, const ProcessSpec& spec, ProcessResult& result) {
    result.timed_out = true;
    note_where_it_waits(child.pid, result);
    kill(-child.pid, spec.deadline_signal);
    kill(child.pid, spec.deadline_signal);
    watch(child, spec, Clock::now() + std::chrono::milliseconds(death_wait_ms), result);
    if (!child.ended) {
        result.abandoned = true;
        note_where_it_waits(child.pid, result);
    }
}

/// The errno of a failed exec, 0 when the program was started.
int start_error_of(const Running& child) {
    int error = 0;
    const ssize_t count = read(child.start_error.get(), &error, sizeof error);
    return count == sizeof error ? error : 0;
}

}  // namespace

Result<ProcessResult> run_process(const ProcessSpec& spec) {
    const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(spec.timeout_ms);
    Result<Running> child = start(spec);
    if (!child) {
        return fail(child.error(), spec.program);
    }
    ProcessResult result;
    watch(*child, spec, deadline, result);
    if (!child->ended) {
        end_by_force(*child, spec, result);
    }
    if (const int error = start_error_of(*child); error != 0) {
        const bool missing = error == ENOENT || error == ENOTDIR;
        const bool refused = error == EACCES || error == EPERM;
        const ErrorCode code = missing ? ErrorCode::not_found : refused ? ErrorCode::denied : ErrorCode::io;
        return fail(code, spec.program + ": " + std::generic_category().message(error));
    }
    return result;
}

std::string signal_name(int signal) {
    switch (signal) {
        case SIGSEGV:
            return "SIGSEGV";
        case SIGABRT:
            return "SIGABRT";
        case SIGBUS:
            return "SIGBUS";
        case SIGILL:
            return "SIGILL";
        case SIGFPE:
            return "SIGFPE";
        case SIGKILL:
            return "SIGKILL";
        case SIGTERM:
            return "SIGTERM";
        case SIGINT:
            return "SIGINT";
        case SIGHUP:
            return "SIGHUP";
        case SIGPIPE:
            return "SIGPIPE";
        case SIGSYS:
            return "SIGSYS";
        case SIGTRAP:
            return "SIGTRAP";
        default:
            return "signal " + std::to_string(signal);
    }
}

std::string find_program(const std::string& name, const std::string& search_path) {
    if (name.empty() || contains(name, "/")) {
        return "";
    }
    const std::string whole_path = search_path + ":/sbin:/usr/sbin";
    for (std::string_view directory : split(whole_path, ':')) {
        // A relative directory would run whatever lies where whygpu happens to be started.
        if (!directory.starts_with('/')) {
            continue;
        }
        const std::string candidate = std::string(directory) + "/" + name;
        struct stat status{};
        if (stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
            access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
    }
    return "";
}

}  // namespace whygpu
