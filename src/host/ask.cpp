#include "host/ask.h"

#include <string_view>

#include "base/text.h"

namespace whygpu {

namespace {

template <class T>
Known<T> malformed(std::string because, Source source) {
    return Known<T>::missing(Missing::malformed, std::move(because), std::move(source));
}

std::map<std::string, std::string> pairs_of(std::string_view text, bool one_a_line) {
    std::map<std::string, std::string> pairs;
    for (std::string_view piece : one_a_line ? lines_of(text) : words_of(text)) {
        const std::size_t equals = piece.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            pairs.emplace(piece.substr(0, equals), piece.substr(equals + 1));
        }
    }
    return pairs;
}

/// The number under a key: 0 when the key is absent, as major and minor are but for device nodes.
std::optional<std::int64_t> number_at(const std::map<std::string, std::string>& pairs,
                                      const std::string& key) {
    const auto found = pairs.find(key);
    return found == pairs.end() ? std::optional<std::int64_t>(0) : parse_int(found->second);
}

/// Permission bits are written in octal, four digits at most.
std::optional<int> parse_mode(std::string_view text) {
    int mode = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '7' || mode > 07777) {
            return std::nullopt;
        }
        mode = mode * 8 + (digit - '0');
    }
    return text.empty() || mode > 07777 ? std::nullopt : std::optional<int>(mode);
}

}  // namespace

Known<std::string> read_file(Host& host, const std::string& path) {
    Answer answer = host.answer({QueryKind::file, path});
    if (answer.missing) {
        return missing_answer<std::string>(answer, path);
    }
    return {std::move(answer.text), Source{path, 0, ""}};
}

Known<std::string> read_value(Host& host, const std::string& path) {
    const Known<std::string> content = read_file(host, path);
    if (!content) {
        return content;
    }
    const std::vector<std::string_view> lines = lines_of(*content);
    const std::string value(lines.empty() ? std::string_view() : trimmed(lines.front()));
    if (value.empty()) {
        return malformed<std::string>("it is empty", Source{path, 0, ""});
    }
    return {value, Source{path, 1, value}};
}

Known<std::int64_t> read_number(Host& host, const std::string& path) {
    const Known<std::string> value = read_value(host, path);
    if (!value) {
        return Known<std::int64_t>::missing_like(value);
    }
    const std::optional<std::int64_t> number = parse_int(*value);
    if (!number) {
        return malformed<std::int64_t>("'" + value->substr(0, 80) + "' is no number", value.source());
    }
    return {*number, value.source()};
}

Known<std::vector<std::string>> list_directory(Host& host, const std::string& path) {
    const Answer answer = host.answer({QueryKind::directory, path});
    if (answer.missing) {
        return missing_answer<std::vector<std::string>>(answer, path);
    }
    const std::vector<std::string_view> lines = lines_of(answer.text);
    return {std::vector<std::string>(lines.begin(), lines.end()), Source{path, 0, ""}};
}

Known<std::string> link_target(Host& host, const std::string& path) {
    const Answer answer = host.answer({QueryKind::link, path});
    if (answer.missing) {
        return missing_answer<std::string>(answer, path);
    }
    const std::string target(trimmed(answer.text));
    return {target, Source{path, 0, path + " -> " + target}};
}

Known<bool> exists(Host& host, const std::string& path) {
    const Known<FileStatus> status = file_status(host, path);
    if (status) {
        // A link whose target is gone is nothing that a program could open.
        return {status->type != "link", status.source()};
    }
    if (status.why() == Missing::absent) {
        return {false, status.source()};
    }
    return Known<bool>::missing_like(status);
}

Known<FileStatus> file_status(Host& host, const std::string& path) {
    const Answer answer = host.answer({QueryKind::status, path});
    if (answer.missing) {
        return missing_answer<FileStatus>(answer, path);
    }
    const Source source{path, 0, std::string(trimmed(answer.text))};
    std::map<std::string, std::string> pairs = pairs_of(answer.text, false);
    FileStatus status;
    status.type = pairs["type"];
    const std::optional<int> mode = parse_mode(pairs["mode"]);
    const std::optional<std::int64_t> uid = number_at(pairs, "uid");
    const std::optional<std::int64_t> gid = number_at(pairs, "gid");
    const std::optional<std::int64_t> major = number_at(pairs, "major");
    const std::optional<std::int64_t> minor = number_at(pairs, "minor");
    if (status.type.empty() || !mode || !uid || !gid || !major || !minor) {
        return malformed<FileStatus>("the status cannot be read", source);
    }
    status.mode = *mode;
    status.uid = *uid;
    status.gid = *gid;
    status.major = static_cast<int>(*major);
    status.minor = static_cast<int>(*minor);
    status.readable = pairs["access"] == "r" || pairs["access"] == "rw";
    status.writable = pairs["access"] == "w" || pairs["access"] == "rw";
    return {status, source};
}

Known<std::map<std::string, std::string>> variables(Host& host) {
    const Answer answer = host.answer({QueryKind::variables, ""});
    if (answer.missing) {
        return missing_answer<std::map<std::string, std::string>>(answer, "environment");
    }
    return {pairs_of(answer.text, true), Source{"environment", 0, ""}};
}

Known<std::map<std::string, std::string>> key_values(Host& host, QueryKind kind) {
    const std::string origin(name_of(kind));
    const Answer answer = host.answer({kind, ""});
    if (answer.missing) {
        return missing_answer<std::map<std::string, std::string>>(answer, origin);
    }
    return {pairs_of(answer.text, false), Source{origin, 0, std::string(trimmed(answer.text))}};
}

Known<CommandOutput> run_command(Host& host, const std::string& command_line) {
    Answer answer = host.answer({QueryKind::command, command_line});
    if (answer.missing) {
        return missing_answer<CommandOutput>(answer, command_line);
    }
    return {CommandOutput{answer.exit_code, std::move(answer.text)}, Source{command_line, 0, ""}};
}

}  // namespace whygpu
