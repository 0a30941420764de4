#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace whygpu::fuzz {

/// Ends the run when a property does not hold; `what` names it.
inline void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "property violated: %s\n", what);
        std::abort();
    }
}

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(data), size);
}

/// Whether a text is well-formed UTF-8, by the table of the Unicode standard (3-7) and on purpose not by
/// the decoder of src/base, which is what is tested.
inline bool is_utf8(std::string_view text) {
    std::size_t at = 0;
    const auto byte = [&](std::size_t index) {
        return index < text.size() ? static_cast<std::uint8_t>(text[index]) : std::uint8_t{0};
    };
    while (at < text.size()) {
        const std::uint8_t first = byte(at);
        const std::size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        const std::uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if ((first >= 0x80 && first < 0xC2) || first > 0xF4) {
            return false;
        }
        for (std::size_t next = 1; next <= more; ++next) {
            const bool second = next == 1;
            if (byte(at + next) < (second ? low : 0x80) || byte(at + next) > (second ? high : 0xBF)) {
                return false;
            }
        }
        at += more + 1;
    }
    return true;
}

}  // namespace whygpu::fuzz
