#include "support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>

namespace whygpu::testing {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) {
        out.push_back(text.data());
    }
    out.push_back(nullptr);
    return out;
}

// A file for the child's input, so that no pipe can fill up.
int input_file(const std::string& input) {
    if (input.empty()) {
        return open("/dev/null", O_RDONLY);
    }
    std::FILE* file = std::tmpfile();
    std::fwrite(input.data(), 1, input.size(), file);
    std::fflush(file);
    const int copy = dup(fileno(file));
    lseek(copy, 0, SEEK_SET);
    std::fclose(file);
    return copy;
}

// Reads both pipes until they close or the time is up; false then.
bool drain(int output, int errors, ProgramRun& run, Clock::time_point deadline) {
    std::array<pollfd, 2> waiting = {{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
    int open_pipes = 2;
    while (open_pipes > 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0 || poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0) {
            return false;
        }
        for (pollfd& one : waiting) {
            std::array<char, 65536> buffer{};
            if (one.fd < 0 || one.revents == 0) {
                continue;
            }
            const ssize_t count = read(one.fd, buffer.data(), buffer.size());
            if (count <= 0) {
                one.fd = -1;
                --open_pipes;
                continue;
            }
            (one.fd == output ? run.output : run.error_text)
                .append(buffer.data(), static_cast<std::size_t>(count));
        }
    }
    return true;
}

}  // namespace

ProgramRun run_whygpu(const std::vector<std::string>& words,
                      const std::map<std::string, std::string>& environment, const std::string& input) {
    std::vector<std::string> arguments = {WHYGPU_PROGRAM};
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::vector<std::string> variables = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                          "HOME=/nonexistent"};
    for (const auto& [name, value] : environment) {
        variables.push_back(name + "=" + value);
    }
    std::vector<char*> argument_pointers = pointers(arguments);
    std::vector<char*> variable_pointers = pointers(variables);
    std::array<int, 2> output{};
    std::array<int, 2> errors{};
    ProgramRun run;
    if (pipe2(output.data(), O_CLOEXEC) != 0 || pipe2(errors.data(), O_CLOEXEC) != 0) {
        return run;
    }
    const int source = input_file(input);
    const Clock::time_point started = Clock::now();
    const pid_t child = fork();
    if (child == 0) {
        dup2(source, 0);
        dup2(output[1], 1);
        dup2(errors[1], 2);
        execve(argument_pointers[0], argument_pointers.data(), variable_pointers.data());
        _exit(127);
    }
    close(source);
    close(output[1]);
    close(errors[1]);
    const bool ended = drain(output[0], errors[0], run, started + std::chrono::seconds(30));
    if (!ended) {
        kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(output[0]);
    close(errors[0]);
    run.exit_code = ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run.elapsed_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started).count();
    return run;
}

}  // namespace whygpu::testing
