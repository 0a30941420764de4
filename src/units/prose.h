#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/document.h"

namespace whygpu {

/// A unit's file cut at its `+++` lines; nullopt when they are missing.
struct MarkdownParts {
    std::string_view front_matter;
    std::string_view prose;  ///< up to "## Cases"
    std::string_view cases;  ///< from there to the end; empty when there is none
};
std::optional<MarkdownParts> cut_markdown(std::string_view markdown);

/// Headings in the two languages; a document in one language uses one set.
enum class Language { english, chinese };

/// Reads the prose of a document. The error names the heading that is missing or unknown.
Result<Prose> parse_prose(std::string_view prose, Language language);

}  // namespace whygpu
