#pragma once

#include <string>
#include <string_view>

// What may stand in an answers file as it is, and how the rest is written.

namespace whygpu {

/// Whether a text is valid UTF-8 without control characters other than tab and line feed.
bool is_plain_text(std::string_view text);

/// A text for a header line: control characters, ';', "[" after a space, spaces at the ends and what
/// reads like an escape itself become %HH.
std::string escaped_header_text(std::string_view text);

/// The inverse of escaped_header_text.
std::string unescaped_header_text(std::string_view text);

}  // namespace whygpu
