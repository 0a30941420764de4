#include "base/flow.h"

#include "base/code_points.h"
#include "base/text.h"
#include "base/unicode.h"

namespace whygpu {

namespace {

// The last character of a text; a space when there is none.
char32_t last_of(std::string_view text) {
    std::size_t at = text.size();
    while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xC0U) == 0x80U) {
        --at;
    }
    return at == 0 ? U' ' : code_point_at(text, at - 1).value;
}

bool starts_a_line(std::string_view line) {
    return line.starts_with("- ") || line.starts_with("> ") || line.starts_with("    ") ||
           line.starts_with("```");
}

}  // namespace

std::string flowed(std::string_view prose) {
    std::string out;
    bool joins = false;
    for (const std::string_view line : lines_of(prose)) {
        const std::string_view content = trimmed(line);
        if (content.empty()) {
            out += joins ? "\n\n" : "";
            joins = false;
            continue;
        }
        if (joins && starts_a_line(line)) {
            out += '\n';
        } else if (joins) {
            const bool wide = is_wide(last_of(out)) && is_wide(code_point_at(content, 0).value);
            out += wide ? "" : " ";
        }
        out += starts_a_line(line) ? line : content;
        joins = true;
    }
    while (!out.empty() && out.back() == '\n') {
        out.pop_back();
    }
    return out;
}

std::string shortened_front(std::string_view text, int columns) {
    if (display_width(text) <= columns) {
        return std::string(text);
    }
    // A long last part is what tells most: its beginning stays.
    const std::size_t last = text.rfind('/');
    if (last != std::string_view::npos && display_width(text.substr(last)) > columns - 1) {
        return "…" + shortened(text.substr(last), columns - 1);
    }
    std::size_t at = 0;
    while (at < text.size() && display_width(text.substr(at)) > columns - 1) {
        at += code_point_at(text, at).bytes;
    }
    // From the next part of the path on, unless that would leave hardly anything.
    const std::size_t slash = text.find('/', at);
    const bool near = slash != std::string_view::npos && slash - at < 16;
    return "…" + std::string(text.substr(near ? slash : at));
}

}  // namespace whygpu
