#include "host/base64.h"

#include <cstdint>

namespace whygpu {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t bytes_a_line = 57;

}  // namespace

std::string to_base64(std::string_view bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view group = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t index = 0; index < 3; ++index) {
            bits = bits << 8 | (index < group.size() ? static_cast<std::uint8_t>(group[index]) : 0U);
        }
        for (std::size_t index = 0; index < 4; ++index) {
            out += index <= group.size() ? alphabet[bits >> (18 - 6 * index) & 63] : '=';
        }
        if ((at + 3) % bytes_a_line == 0 || at + 3 >= bytes.size()) {
            out += '\n';
        }
    }
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string out;
    std::uint32_t bits = 0;
    int digits = 0;
    int padding = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') {
            continue;
        }
        const std::size_t value = c == '=' ? 0 : alphabet.find(c);
        padding += c == '=' ? 1 : 0;
        if (value == std::string_view::npos || (c != '=' && padding > 0) || padding > 2) {
            return std::nullopt;
        }
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (++digits % 4 == 0) {
            out += static_cast<char>(bits >> 16 & 255);
            out += static_cast<char>(bits >> 8 & 255);
            out += static_cast<char>(bits & 255);
        }
    }
    if (digits % 4 != 0) {
        return std::nullopt;
    }
    out.resize(out.size() - static_cast<std::size_t>(padding));
    return out;
}

}  // namespace whygpu
