#pragma once

#include <string>
#include <string_view>

namespace whygpu {

/// Prose without the line ends that only its source has: the lines of a paragraph are joined by a space, or
/// by nothing where East Asian characters meet. Blank lines, list items, quotes and indented lines keep their
/// place.
std::string flowed(std::string_view prose);

/// A path cut from the front to at most `columns`: "…/torch/version.py:4"; unchanged when it fits.
std::string shortened_front(std::string_view text, int columns);

}  // namespace whygpu
