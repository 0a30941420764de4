#include "host/live.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <vector>

#include "base/text.h"
#include "host/commands.h"
#include "host/descriptor.h"
#include "host/files.h"
#include "host/kernel_log.h"
#include "host/pci_names.h"
#include "host/process.h"

extern char** environ;

namespace whygpu {

namespace {

/// stat comes first because opening alone can act: a watchdog starts, a tape rewinds, a GPU wakes up.
Answer answer_file(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) {
        return answer_for_errno(errno);
    }
    if (std::optional<Answer> refused = refused_kind(status)) {
        return *refused;
    }
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    return file.valid() ? content_of(file) : answer_for_errno(errno);
}

Answer answer_directory(const std::string& path) {
    Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC));
    return directory.valid() ? entries_of(std::move(directory)) : answer_for_errno(errno);
}

Answer answer_link(const std::string& path) {
    std::array<char, PATH_MAX> target;
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    if (size < 0 && errno == EINVAL) {
        return missing_answer(Missing::unsupported, "not a symbolic link");
    }
    if (size < 0) {
        return answer_for_errno(errno);
    }
    Answer answer;
    answer.text.assign(target.data(), static_cast<std::size_t>(size));
    return answer;
}

/// Links are followed; one whose target is gone answers as itself.
Answer answer_status(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0 && (errno != ENOENT || lstat(path.c_str(), &status) != 0)) {
        return answer_for_errno(errno);
    }
    Answer answer;
    answer.text = status_text(status, faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0,
                              faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0);
    return answer;
}

Answer answer_variables() {
    std::vector<std::string> lines;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        lines.emplace_back(*variable);
        std::ranges::replace(lines.back(), '\n', ' ');
    }
    std::ranges::sort(lines);
    Answer answer;
    for (const std::string& line : lines) {
        answer.text += line + "\n";
    }
    return answer;
}

Answer answer_user() {
    std::vector<gid_t> groups(static_cast<std::size_t>(std::max(getgroups(0, nullptr), 0)));
    const int count = getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(std::max(count, 0)));
    if (std::ranges::find(groups, getgid()) == groups.end()) {
        groups.insert(groups.begin(), getgid());
    }
    std::vector<std::string> numbers;
    for (const gid_t group : groups) {
        numbers.push_back(std::to_string(group));
    }
    Answer answer;
    answer.text = "uid=" + std::to_string(getuid()) + " gid=" + std::to_string(getgid()) +
                  " groups=" + join(numbers, ",");
    return answer;
}

Answer answer_platform() {
    utsname names{};
    if (uname(&names) != 0) {
        return answer_for_errno(errno);
    }
    Answer answer;
    answer.text =
        std::string("sysname=") + names.sysname + " release=" + names.release + " machine=" + names.machine;
    return answer;
}

std::string unanswered(const ProcessResult& result, int timeout_ms) {
    std::string because = "no answer within " + std::to_string(timeout_ms) + " ms";
    if (!result.wait_channel.empty()) {
        because += ", waiting in " + result.wait_channel;
    }
    if (result.abandoned) {
        because += ", could not be killed and was left behind";
    }
    return because;
}

Answer answer_from(const ProcessResult& result, int timeout_ms) {
    Answer answer;
    if (result.timed_out) {
        answer = missing_answer(Missing::timed_out, unanswered(result, timeout_ms));
    } else if (result.signal != 0) {
        answer = missing_answer(Missing::crashed, "child ended by signal " + std::to_string(result.signal) +
                                                      " (" + signal_name(result.signal) + ")");
    }
    answer.text = result.text;
    answer.truncated = result.truncated;
    answer.exit_code = result.exit_code;
    return answer;
}

Answer answer_from(const Error& error) {
    switch (error.code) {
        case ErrorCode::not_found:
            return missing_answer(Missing::absent, error.message);
        case ErrorCode::denied:
            return missing_answer(Missing::denied, error.message);
        default:
            return missing_answer(Missing::malformed, error.message);
    }
}

Answer run(const ProcessSpec& spec) {
    const Result<ProcessResult> result = run_process(spec);
    return result ? answer_from(*result, spec.timeout_ms) : answer_from(result.error());
}

Answer answer_command(const std::string& line, int timeout_ms) {
    if (!is_allowed(line)) {
        return missing_answer(Missing::not_asked, "this command is not on the list of those that may be run");
    }
    ProcessSpec spec;
    for (std::string_view argument : split(line, ' ')) {
        spec.arguments.emplace_back(argument);
    }
    const char* search_path = std::getenv("PATH");
    spec.program =
        find_program(spec.arguments.front(), search_path == nullptr ? "/usr/bin:/bin" : search_path);
    spec.timeout_ms = timeout_ms;
    spec.output_limit = answer_limit_bytes;
    if (spec.program.empty()) {
        return missing_answer(Missing::absent, spec.arguments.front() + " is not installed");
    }
    return run(spec);
}

/// The environment goes to the child unchanged: CUDA_VISIBLE_DEVICES, LD_LIBRARY_PATH and their like
/// are half of what its answer depends on.
Answer answer_driver(const std::string& name, const LiveOptions& options) {
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
        return missing_answer(Missing::malformed, "no name of a driver library");
    }
    ProcessSpec spec;
    spec.program = options.self_path;
    spec.arguments = {"whygpu", "_ask", name};
    spec.timeout_ms = options.driver_timeout_ms;
    spec.output_limit = answer_limit_bytes;
    spec.plain_locale = false;
    return run(spec);
}

class LiveHost : public Host {
public:
    explicit LiveHost(LiveOptions options) : options_(std::move(options)) {}

    Answer answer(const Query& query) override {
        switch (query.kind) {
            case QueryKind::variables:
                return answer_variables();
            case QueryKind::user:
                return answer_user();
            case QueryKind::platform:
                return answer_platform();
            case QueryKind::command:
                return answer_command(query.argument, options_.command_timeout_ms);
            case QueryKind::kernel_log:
                return read_kernel_log();
            case QueryKind::pci_name:
                return read_pci_name(query.argument);
            case QueryKind::driver:
                return answer_driver(query.argument, options_);
            default:
                return answer_path(query);
        }
    }

private:
    static Answer answer_path(const Query& query) {
        if (std::optional<Answer> refused = refused_path(query.argument)) {
            return *refused;
        }
        switch (query.kind) {
            case QueryKind::file:
                return answer_file(query.argument);
            case QueryKind::directory:
                return answer_directory(query.argument);
            case QueryKind::link:
                return answer_link(query.argument);
            default:
                return answer_status(query.argument);
        }
    }

    const LiveOptions options_;
};

}  // namespace

std::unique_ptr<Host> make_live_host(LiveOptions options) {
    return std::make_unique<LiveHost>(std::move(options));
}

}  // namespace whygpu
