#include "units/prose.h"

#include <array>

#include "base/text.h"

namespace whygpu {

namespace {

enum class Part { variants, notes, meaning, tell, fix };

struct Heading {
    Part part;
    std::string_view english;
    std::string_view chinese;
};

constexpr std::array<Heading, 5> headings = {{
    {Part::variants, "Variants", "变体"},
    {Part::notes, "Notes", "注释"},
    {Part::meaning, "What it means", "含义"},
    {Part::tell, "How to tell", "如何判断"},
    {Part::fix, "How to fix", "如何解决"},
}};

std::optional<Part> part_named(std::string_view title, Language language) {
    for (const Heading& heading : headings) {
        if (title == (language == Language::english ? heading.english : heading.chinese)) {
            return heading.part;
        }
    }
    return std::nullopt;
}

struct Item {
    std::string key;
    std::string text;
};

// "- `key`: text", also with the full-width colon that Chinese writers use.
std::optional<Item> list_item(std::string_view line) {
    const std::optional<std::string_view> rest = after_prefix(line, "- `");
    if (!rest) {
        return std::nullopt;
    }
    const std::size_t end = rest->find('`');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view text = rest->substr(end + 1);
    for (const std::string_view colon : {":", "："}) {
        if (const std::optional<std::string_view> after = after_prefix(text, colon)) {
            return Item{std::string(rest->substr(0, end)), std::string(trimmed(*after))};
        }
    }
    return std::nullopt;
}

void append_line(std::string& text, std::string_view line) {
    if (text.empty() && trimmed(line).empty()) {
        return;
    }
    text.append(line);
    text += '\n';
}

std::string without_last_blank_lines(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    return text;
}

void add_line(Prose& prose, Part part, std::string_view line) {
    const std::optional<Item> item = list_item(line);
    switch (part) {
        case Part::variants:
            if (item) {
                prose.variants[item->key] = item->text;
            }
            break;
        case Part::notes:
            if (item) {
                prose.notes[item->key] = item->text;
            }
            break;
        case Part::meaning:
            append_line(prose.meaning, line);
            break;
        case Part::tell:
            append_line(prose.tell, line);
            break;
        case Part::fix:
            if (item) {
                prose.steps[item->key] = item->text;
            } else {
                append_line(prose.fix, line);
            }
            break;
    }
}

}  // namespace

std::optional<MarkdownParts> cut_markdown(std::string_view markdown) {
    constexpr std::string_view fence = "+++\n";
    if (!markdown.starts_with(fence)) {
        return std::nullopt;
    }
    const std::size_t end = markdown.find("\n+++\n", fence.size() - 1);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view rest = markdown.substr(end + 5);
    const std::size_t cases = rest.starts_with("## Cases\n") ? 0 : rest.find("\n## Cases\n");
    MarkdownParts parts;
    parts.front_matter = end > fence.size() ? markdown.substr(fence.size(), end - fence.size()) : "";
    const std::size_t cut = cases == std::string_view::npos ? rest.size() : cases == 0 ? 0 : cases + 1;
    parts.prose = rest.substr(0, cut);
    parts.cases = rest.substr(cut);
    return parts;
}

Result<Prose> parse_prose(std::string_view text, Language language) {
    Prose prose;
    std::optional<Part> part;
    for (const std::string_view line : lines_of(text)) {
        if (const auto title = after_prefix(line, "# ")) {
            prose.title = trimmed(*title);
            continue;
        }
        if (const auto title = after_prefix(line, "## ")) {
            part = part_named(trimmed(*title), language);
            if (!part) {
                return fail(ErrorCode::invalid_input, "unknown heading: " + std::string(*title));
            }
            continue;
        }
        if (part) {
            add_line(prose, *part, line);
        }
    }
    if (prose.title.empty()) {
        return fail(ErrorCode::invalid_input, "no title line \"# …\"");
    }
    prose.meaning = without_last_blank_lines(std::move(prose.meaning));
    prose.tell = without_last_blank_lines(std::move(prose.tell));
    prose.fix = without_last_blank_lines(std::move(prose.fix));
    if (prose.meaning.empty()) {
        return fail(ErrorCode::invalid_input, "nothing under the heading that says what it means");
    }
    return prose;
}

}  // namespace whygpu
