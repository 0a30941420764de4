#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

/// The lines of a text without their ends (\n, \r\n); a last line without an end counts, an empty
/// text has none. The views point into `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// Without spaces, tabs, line ends and NULs on both sides.
std::string_view trimmed(std::string_view text);

/// The pieces between separators, empty ones kept; one piece for a text without separator.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The runs of characters that are not white space.
std::vector<std::string_view> words_of(std::string_view text);

/// The pieces with `separator` between them; empty for no pieces.
std::string join(const std::vector<std::string>& pieces, std::string_view separator);

/// ASCII lower case; other bytes are kept.
std::string lower(std::string_view text);

/// Whether `part` stands somewhere in the text; an empty part always does.
bool contains(std::string_view text, std::string_view part);

/// What stands after `prefix`, or nullopt when the text does not start with it.
std::optional<std::string_view> after_prefix(std::string_view text, std::string_view prefix);

/// A whole decimal number, nothing before or after it; nullopt otherwise and on overflow.
std::optional<std::int64_t> parse_int(std::string_view text);

/// Hexadecimal with or without 0x; nullopt otherwise and on overflow.
std::optional<std::uint64_t> parse_hex(std::string_view text);

/// A whole decimal number with optional fraction; nullopt otherwise.
std::optional<double> parse_double(std::string_view text);

/// Copies text made of {name} placeholders, asking `value_of` for each; an unknown name stays as it
/// stands. Doubled braces {{ and }} give one brace.
template <class ValueOf>
std::string fill_placeholders(std::string_view pattern, ValueOf value_of) {
    std::string out;
    std::size_t at = 0;
    while (at < pattern.size()) {
        const char c = pattern[at];
        const bool doubled = at + 1 < pattern.size() && pattern[at + 1] == c;
        if ((c == '{' || c == '}') && doubled) {
            out += c;
            at += 2;
            continue;
        }
        const std::size_t end = c == '{' ? pattern.find('}', at) : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += c;
            ++at;
            continue;
        }
        const std::string_view name = pattern.substr(at + 1, end - at - 1);
        const std::optional<std::string> value = value_of(name);
        out += value ? *value : std::string(pattern.substr(at, end - at + 1));
        at = end + 1;
    }
    return out;
}

/// The names of the {name} placeholders in a pattern, sorted, each once.
std::vector<std::string> placeholders_of(std::string_view pattern);

/// FNV-1a, 64 bit, as 16 hexadecimal digits: marks a translation as made from a certain text.
std::string content_hash(std::string_view text);

}  // namespace whygpu
