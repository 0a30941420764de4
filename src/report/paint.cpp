#include "report/paint.h"

#include <algorithm>

#include "base/unicode.h"

namespace whygpu {

namespace {

const char* code_of(Ink ink) {
    switch (ink) {
        case Ink::bold:
            return "1";
        case Ink::dim:
            return "2";
        case Ink::red:
            return "1;31";
        case Ink::yellow:
            return "1;33";
        case Ink::green:
            return "1;32";
        case Ink::cyan:
            return "36";
        case Ink::plain:
            break;
    }
    return "";
}

}  // namespace

std::string painted(std::string_view text, Ink ink, const TextStyle& style) {
    if (!style.color || ink == Ink::plain || text.empty()) {
        return std::string(text);
    }
    return "\033[" + std::string(code_of(ink)) + "m" + std::string(text) + "\033[0m";
}

void Page::line(std::string_view text, Ink ink) {
    text_ += painted(text, ink, style_);
    text_ += '\n';
}

void Page::paragraph(std::string_view text, Ink ink, int hanging_columns) {
    const std::string indent(static_cast<std::size_t>(hanging_columns), ' ');
    bool first = true;
    for (const std::string& piece : wrapped(text, std::max(20, style_.columns - hanging_columns))) {
        text_ += first ? "" : indent;
        line(piece, ink);
        first = false;
    }
}

int Page::text_columns() const {
    return std::max(24, style_.columns - label_columns_);
}

// A label that is too long for its column on a narrow terminal has a line of its own.
std::string Page::label_cell(std::string_view label) const {
    const std::string cell = "  " + std::string(label);
    const std::string below = display_width(cell) < label_columns_ ? "" : "\n" + padded("", label_columns_);
    return painted(padded(cell, label_columns_), Ink::dim, style_) + below;
}

void Page::entry(std::string_view label, std::string_view text, Ink ink) {
    bool first = true;
    for (const std::string& piece : wrapped(text, text_columns())) {
        text_ += label_cell(first ? label : "");
        line(piece, ink);
        first = false;
    }
}

void Page::whole(std::string_view label, std::string_view text, Ink ink) {
    text_ += label_cell(label);
    line(text, ink);
}

void Page::item(std::string_view label, std::string_view mark, int indent, std::string_view text, Ink ink) {
    bool first = true;
    for (const std::string& piece : wrapped(text, std::max(20, text_columns() - indent))) {
        text_ += label_cell(first ? label : "") + padded(first ? mark : "", indent);
        line(piece, ink);
        first = false;
    }
}

void Page::pair(std::string_view label, std::string_view left, int left_columns, std::string_view text) {
    constexpr int narrowest = 20;
    const int columns = text_columns() - left_columns - 2;
    if (columns < narrowest) {
        entry(label, left);
        entry("", text);
        return;
    }
    bool first = true;
    for (const std::string& piece : wrapped(text, columns)) {
        text_ += label_cell(first ? label : "") + padded(first ? left : "", left_columns) + "  ";
        line(piece);
        first = false;
    }
}

// Colour codes pass: they are ASCII except for the escape, which ascii_only must not see.
std::string Page::ascii_text() const {
    std::string out;
    std::size_t at = 0;
    while (at < text_.size()) {
        const std::size_t escape = std::min(text_.find('\033', at), text_.size());
        out += ascii_only(std::string_view(text_).substr(at, escape - at));
        if (escape == text_.size()) {
            break;
        }
        const std::size_t end = std::min(text_.find('m', escape), text_.size() - 1);
        out += text_.substr(escape, end - escape + 1);
        at = end + 1;
    }
    return out;
}

}  // namespace whygpu
