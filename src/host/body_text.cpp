#include "host/body_text.h"

#include <cstdint>
#include <optional>

#include "base/text.h"

namespace whygpu {

namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

std::uint8_t byte_at(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<std::uint8_t>(text[at]) : std::uint8_t{0};
}

/// The length of the UTF-8 sequence that starts here, 0 when there is no valid one. Ranges are those
/// of table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing beyond U+10FFFF.
std::size_t sequence_length(std::string_view text, std::size_t at) {
    const std::uint8_t first = byte_at(text, at);
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    const std::uint8_t lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte_at(text, at + 1) < lowest || byte_at(text, at + 1) > highest) {
        return 0;
    }
    for (std::size_t next = 2; next < length; ++next) {
        if ((byte_at(text, at + next) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

bool is_control(char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return byte < 0x20 || byte == 0x7F;
}

/// The byte that "%HH" at this place stands for.
std::optional<char> escape_at(std::string_view text, std::size_t at) {
    if (text[at] != '%' || at + 2 >= text.size()) {
        return std::nullopt;
    }
    const std::string_view digits = text.substr(at + 1, 2);
    if (digits.find_first_not_of("0123456789ABCDEFabcdef") != std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> byte = parse_hex(digits);
    return byte ? std::optional<char>(static_cast<char>(*byte)) : std::nullopt;
}

}  // namespace

bool is_plain_text(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequence_length(text, at);
        if (length == 0 || (is_control(text[at]) && text[at] != '\n' && text[at] != '\t')) {
            return false;
        }
        at += length;
    }
    return true;
}

std::string escaped_header_text(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool at_end = at == 0 || at + 1 == text.size();
        const bool opens = c == '[' && (at == 0 || text[at - 1] == ' ');
        if (is_control(c) || c == ';' || opens || (c == ' ' && at_end) || escape_at(text, at)) {
            const auto byte = static_cast<std::uint8_t>(c);
            out += '%';
            out += hex_digits[byte >> 4];
            out += hex_digits[byte & 15];
        } else {
            out += c;
        }
    }
    return out;
}

std::string unescaped_header_text(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::optional<char> byte = escape_at(text, at);
        out += byte ? *byte : text[at];
        at += byte ? 2 : 0;
    }
    return out;
}

}  // namespace whygpu
