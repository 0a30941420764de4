#include "base/text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace whygpu {

namespace {

constexpr std::string_view white_space = " \t\n\r\v\f";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text, int base) {
    Number value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value, base);
    if (result.ec != std::errc{} || result.ptr != end) {
        return std::nullopt;
    }
    return value;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        if (end < text.size() && line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        at = end + 1;
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    // NULs stand at the end of device-tree and some sysfs values.
    constexpr std::string_view unwanted("\0 \t\n\r", 5);
    const std::size_t first = text.find_first_not_of(unwanted);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    std::size_t at = 0;
    for (;;) {
        const std::size_t end = text.find(separator, at);
        if (end == std::string_view::npos) {
            pieces.push_back(text.substr(at));
            return pieces;
        }
        pieces.push_back(text.substr(at, end - at));
        at = end + 1;
    }
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t at = text.find_first_not_of(white_space);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(white_space, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(white_space, end);
    }
    return words;
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
    std::string out;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) {
            out += separator;
        }
        out += pieces[i];
    }
    return out;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::optional<std::string_view> after_prefix(std::string_view text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    return text.substr(prefix.size());
}

std::optional<std::int64_t> parse_int(std::string_view text) {
    return parse_whole<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
    }
    return parse_whole<std::uint64_t>(text, 16);
}

std::optional<double> parse_double(std::string_view text) {
    // from_chars also takes "inf", "nan", ".5" and "5."; none of them is a number that a driver prints.
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || !is_digit(digits.front()) || !is_digit(digits.back())) {
        return std::nullopt;
    }
    double value = 0;
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (result.ec != std::errc{} || result.ptr != end) {
        return std::nullopt;
    }
    return value;
}

std::vector<std::string> placeholders_of(std::string_view pattern) {
    std::vector<std::string> names;
    fill_placeholders(pattern, [&names](std::string_view name) -> std::optional<std::string> {
        names.emplace_back(name);
        return std::nullopt;
    });
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::string content_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    return fmt::format("{:016x}", hash);
}

}  // namespace whygpu
