#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

/// Text from outside made safe to print: escape sequences and control characters removed, carriage
/// returns resolved to the last overprint, invalid UTF-8 replaced by U+FFFD, tabs by four spaces.
/// Line ends stay, as \n.
std::string printable(std::string_view text);

/// Columns that a terminal uses for valid UTF-8: 2 for East Asian wide and emoji, 0 for combining
/// marks, 1 otherwise. Invalid bytes count 1 each.
int display_width(std::string_view text);

/// The text padded with spaces to `columns`; unchanged when it is wider.
std::string padded(std::string_view text, int columns);

/// Cut to at most `columns`, with "…" (or "..." when `ascii`) in place of what was left out.
std::string shortened(std::string_view text, int columns, bool ascii = false);

/// The text broken into lines of at most `columns`, at spaces and beside wide characters but not
/// before closing punctuation (。，、）…) or after opening one; a word longer than a line is not broken,
/// a line end in the text stays one and an indent stays before its first word. Never empty.
std::vector<std::string> wrapped(std::string_view text, int columns);

/// Only ASCII: the signs that whygpu draws are replaced by look-alikes, other characters
/// by '?', marks without a width by nothing.
std::string ascii_only(std::string_view text);

}  // namespace whygpu
