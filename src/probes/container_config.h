#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/text.h"

// Reading the configuration of container engines. These files are edited by hand and by many tools;
// only the few keys that matter to GPUs are looked for, wherever they stand. No unit: helpers of this
// folder are headers.

namespace whygpu::probes {

/// How deep trees are walked, and how many entries of one kind are kept.
inline constexpr int nesting_limit = 32;
inline constexpr std::size_t entries_limit = 500;

/// `"value"`, `'value'` or a bare word, up to a comment.
inline std::string bare_value(std::string_view text) {
    text = trimmed(text);
    const char quote = text.empty() ? ' ' : text.front();
    if (quote == '"' || quote == '\'') {
        const std::size_t end = text.find(quote, 1);
        return std::string(text.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(trimmed(text.substr(0, text.find('#'))));
}

/// The value of `key = value` on a line of TOML; commented lines have none.
inline std::optional<std::string> toml_value(std::string_view line, std::string_view key) {
    const std::optional<std::string_view> rest = after_prefix(trimmed(line), key);
    const std::string_view value = rest ? trimmed(*rest) : std::string_view();
    return value.starts_with('=') ? std::optional(bare_value(value.substr(1))) : std::nullopt;
}

/// The value of `key: value` on a line of YAML, with or without "- " before it.
inline std::optional<std::string> yaml_value(std::string_view line, std::string_view key) {
    line = trimmed(line);
    if (line.starts_with("- ")) {
        line = trimmed(line.substr(2));
    }
    const std::optional<std::string_view> rest = after_prefix(line, key);
    return rest && rest->starts_with(':') ? std::optional(bare_value(rest->substr(1))) : std::nullopt;
}

/// The name of a runtime in a table header of containerd's configuration:
/// [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options] → nvidia.
inline std::string containerd_runtime_in(std::string_view line) {
    line = trimmed(line);
    constexpr std::string_view mark = ".runtimes.";
    const std::size_t at = line.starts_with('[') ? line.find(mark) : std::string_view::npos;
    if (at == std::string_view::npos) {
        return "";
    }
    std::string_view name = line.substr(at + mark.size());
    name = name.substr(0, name.find_first_of(".]"));
    return bare_value(name);
}

/// The texts of all members called `key`, anywhere in the tree, at most 500.
inline void collect_texts(const Json& json, std::string_view key, std::vector<std::string>& found,
                          int depth = 0) {
    if (depth > nesting_limit || found.size() >= entries_limit) {
        return;
    }
    for (const Json& element : json.as_array() ? *json.as_array() : Json::Array()) {
        collect_texts(element, key, found, depth + 1);
    }
    for (const auto& [name, member] : json.as_object() ? *json.as_object() : Json::Object()) {
        if (name == key && member.as_string() && found.size() < entries_limit) {
            found.push_back(*member.as_string());
        }
        collect_texts(member, key, found, depth + 1);
    }
}

}  // namespace whygpu::probes
