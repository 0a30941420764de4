#include "support/unit_cases.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace whygpu::testing {

namespace {

std::string_view line_at(std::string_view text, std::size_t at) {
    return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

}  // namespace

const Block* Case::find(std::string_view language) const {
    for (const Block& block : blocks) {
        if (block.language == language) {
            return &block;
        }
    }
    return nullptr;
}

std::vector<Case> cases_of(std::string_view markdown) {
    std::vector<Case> cases;
    std::size_t at = markdown.find("\n## Cases\n");
    bool inside = false;
    Block block;
    while (at < markdown.size()) {
        const std::string_view line = line_at(markdown, at);
        const std::size_t next = at + line.size() + 1;
        if (inside && line == "```") {
            block.end = at;
            block.text = std::string(markdown.substr(block.begin, block.end - block.begin));
            cases.back().blocks.push_back(block);
            inside = false;
        } else if (!inside && line.starts_with("### ")) {
            cases.push_back(Case{std::string(line.substr(4)), {}});
        } else if (!inside && line.starts_with("```") && line.size() > 3 && !cases.empty()) {
            block = Block{std::string(line.substr(3)), "", next, next};
            inside = true;
        }
        at = next;
    }
    return cases;
}

std::string read_source(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

bool accepting() {
    const char* value = std::getenv("WHYGPU_ACCEPT");
    return value != nullptr && std::string_view(value) == "1";
}

void accept_block(const std::string& path, const std::string& case_name, const Block& block,
                  const std::string& text) {
    // Offsets no longer hold once an earlier block was rewritten; the heading of the case does.
    std::string content = read_source(path);
    const std::size_t heading = content.find("\n### " + case_name + "\n");
    ASSERT_NE(heading, std::string::npos) << path << ": " << case_name;
    const std::string fence = "```" + block.language + "\n";
    const std::size_t at = content.find(fence + block.text + "```", heading);
    ASSERT_NE(at, std::string::npos) << path << ": " << case_name;
    content.replace(at + fence.size(), block.text.size(), text);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace whygpu::testing
