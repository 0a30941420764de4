#include "child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

#include "base/text.h"

namespace whygpu::testing {

namespace {

constexpr std::int64_t no_code = -999999;

struct Pipe {
    int read_fd = -1;
    int write_fd = -1;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    return {ends[0], ends[1]};
}

pid_t spawn(const std::string& driver, std::vector<std::string> environment, const Pipe& out,
            const Pipe& err) {
    std::vector<std::string> arguments = {WHYGPU_PROGRAM, "_ask", driver};
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    std::vector<char*> envp;
    for (std::string& variable : environment) {
        envp.push_back(variable.data());
    }
    envp.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out.write_fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_fd, STDERR_FILENO);
    pid_t pid = -1;
    EXPECT_EQ(posix_spawn(&pid, WHYGPU_PROGRAM, &actions, nullptr, argv.data(), envp.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

// Reads both pipes until the child closes them; false when the time is over before.
bool read_all(const Pipe& out, const Pipe& err, int timeout_ms, Child& child) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    std::array<pollfd, 2> fds = {{{out.read_fd, POLLIN, 0}, {err.read_fd, POLLIN, 0}}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0 || poll(fds.data(), fds.size(), static_cast<int>(left.count())) == 0) {
            return false;
        }
        for (std::size_t i = 0; i < fds.size(); ++i) {
            std::array<char, 4096> buffer;
            if (fds[i].fd < 0 || fds[i].revents == 0) {
                continue;
            }
            const ssize_t got = read(fds[i].fd, buffer.data(), buffer.size());
            if (got <= 0) {
                fds[i].fd = -1;
                continue;
            }
            (i == 0 ? child.text : child.messages).append(buffer.data(), static_cast<std::size_t>(got));
        }
    }
    return true;
}

}  // namespace

Json Child::answer(std::string_view call, int device) const {
    Json found = Json::object();
    for (const Json& line : lines) {
        const Json* about = line.find("device");
        const bool device_fits = device < 0 || (about != nullptr && *about == Json(device));
        if (line.text("call") == call && device_fits) {
            found = line;
        }
    }
    return found;
}

std::int64_t Child::code(std::string_view call, int device) const {
    const Json line = answer(call, device);
    const Json* member = line.find("code");
    return member != nullptr && member->as_int() != nullptr ? *member->as_int() : no_code;
}

bool Child::has(std::string_view call, int device) const {
    return answer(call, device) != Json::object();
}

std::string Child::unanswered() const {
    return lines.empty() ? "" : lines.back().text("begin");
}

Answer Child::as_answer() const {
    Answer answer;
    answer.text = text;
    answer.exit_code = exit_code;
    if (timed_out) {
        answer.missing = Missing::timed_out;
        answer.because = "no answer";
    } else if (signal != 0) {
        answer.missing = Missing::crashed;
        answer.because = "signal " + std::to_string(signal);
    }
    return answer;
}

Child ask(const std::string& driver, const std::string& folder, const std::string& scenario, int timeout_ms) {
    const std::string drivers = FAKE_DRIVER_DIR;
    const bool is_path = contains(folder, "/");
    std::vector<std::string> environment = {"PATH=/usr/bin:/bin",
                                            "LD_LIBRARY_PATH=" + (is_path ? folder : drivers + "/" + folder),
                                            "ASAN_OPTIONS=detect_leaks=0"};
    if (!scenario.empty()) {
        environment.push_back("WHYGPU_FAKE_SCENARIO=" + drivers + "/scenarios/" + scenario + ".scenario");
    }
    const Pipe out = make_pipe();
    const Pipe err = make_pipe();
    const pid_t pid = spawn(driver, environment, out, err);
    close(out.write_fd);
    close(err.write_fd);

    Child child;
    child.timed_out = !read_all(out, err, timeout_ms, child);
    if (child.timed_out) {
        kill(pid, SIGKILL);
    }
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    close(out.read_fd);
    close(err.read_fd);
    child.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child.signal = WIFSIGNALED(status) && !child.timed_out ? WTERMSIG(status) : 0;
    for (std::string_view line : lines_of(child.text)) {
        Result<Json> parsed = parse_json(line);
        EXPECT_TRUE(parsed && parsed->as_object() != nullptr) << line;
        child.lines.push_back(parsed ? *parsed : Json());
    }
    return child;
}

}  // namespace whygpu::testing
