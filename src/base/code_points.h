#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// UTF-8 and the widths of characters, for unicode.cpp alone.

namespace whygpu {

/// One character of a text: its code point and how many bytes it takes; `valid` is false for a byte
/// that begins no well-formed UTF-8 sequence (overlong, surrogate, cut off), which then stands alone.
struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

/// The character that begins at `at`, which must be inside the text.
CodePoint code_point_at(std::string_view text, std::size_t at);

/// Columns in a terminal: 2, 1 or 0; control characters count 1.
int width_of(char32_t value);

/// East Asian wide, fullwidth or shown as an emoji.
bool is_wide(char32_t value);

/// Combining marks, joiners, variation selectors and other characters without a place of their own.
bool is_zero_width(char32_t value);

}  // namespace whygpu
