#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whygpu::testing {

/// A fenced block of a unit's Markdown.
struct Block {
    std::string language;   ///< "facts", "answers", "expect"
    std::string text;       ///< with its last newline
    std::size_t begin = 0;  ///< offsets of `text` in the file
    std::size_t end = 0;
};

/// One "### name" beneath "## Cases".
struct Case {
    std::string name;
    std::vector<Block> blocks;

    const Block* find(std::string_view language) const;
};

/// The cases of a unit's Markdown, in order.
std::vector<Case> cases_of(std::string_view markdown);

/// The content of a file; the test fails when it cannot be read.
std::string read_source(const std::string& path);

/// Whether expectations are to be rewritten (WHYGPU_ACCEPT=1).
bool accepting();

/// Writes a unit's file anew with the text of one case's block replaced.
void accept_block(const std::string& path, const std::string& case_name, const Block& block,
                  const std::string& text);

}  // namespace whygpu::testing
