#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/host.h"

// Typed questions over Host::answer. Each fact carries its Source; a failed question is a Missing
// fact with the host's reason.

namespace whygpu {

/// A file's content; `Source.origin` is the path.
Known<std::string> read_file(Host& host, const std::string& path);

/// A file that holds one value: its first line, trimmed; malformed when the file is empty.
Known<std::string> read_value(Host& host, const std::string& path);

/// The same as a decimal number.
Known<std::int64_t> read_number(Host& host, const std::string& path);

/// The names in a directory, sorted.
Known<std::vector<std::string>> list_directory(Host& host, const std::string& path);

/// The target of a symbolic link as it is written there.
Known<std::string> link_target(Host& host, const std::string& path);

/// Whether something exists at a path: true, false (absent), or missing when that cannot be told.
Known<bool> exists(Host& host, const std::string& path);

struct FileStatus {
    std::string type;  ///< file, directory, char, block, link, socket, fifo
    int mode = 0;      ///< permission bits
    std::int64_t uid = 0;
    std::int64_t gid = 0;
    int major = 0;  ///< of device nodes
    int minor = 0;
    bool readable = false;  ///< by the user who runs whygpu
    bool writable = false;
};
Known<FileStatus> file_status(Host& host, const std::string& path);

/// The environment.
Known<std::map<std::string, std::string>> variables(Host& host);

/// "key=value key=value" answers (user, platform) as a map.
Known<std::map<std::string, std::string>> key_values(Host& host, QueryKind kind);

struct CommandOutput {
    int exit_code = 0;
    std::string text;
};
/// Runs a command of the allow-list (host/commands.h); absent when the program is not installed.
Known<CommandOutput> run_command(Host& host, const std::string& command_line);

/// A missing fact for the reason that an answer has none; the answer must have one.
template <class T>
Known<T> missing_answer(const Answer& answer, const std::string& origin) {
    return Known<T>::missing(*answer.missing, answer.because, Source{origin, 0, ""});
}

}  // namespace whygpu
