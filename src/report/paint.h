#pragma once

#include <string>
#include <string_view>

#include "report/render.h"

namespace whygpu {

/// The colours of the report, for terminals of eight colours.
enum class Ink { plain, bold, dim, red, yellow, green, cyan };

/// Text in a colour, or as it is when the style has none.
std::string painted(std::string_view text, Ink ink, const TextStyle& style);

/// A block of labelled text that grows line by line: labels in a column of their own, texts wrapped
/// beside them.
class Page {
public:
    Page(const TextStyle& style, int label_columns) : style_(style), label_columns_(label_columns) {}

    /// A line as it is, from the first column.
    void line(std::string_view text, Ink ink = Ink::plain);
    /// Wrapped text from the first column, with a hanging indent.
    void paragraph(std::string_view text, Ink ink, int hanging_columns);
    /// A label (empty to continue the one above) and wrapped text.
    void entry(std::string_view label, std::string_view text, Ink ink = Ink::plain);
    /// The same without wrapping: commands must stay whole to be copied.
    void whole(std::string_view label, std::string_view text, Ink ink = Ink::plain);
    /// A label and text that is wrapped `indent` columns further in, after a mark that stands there ("1").
    void item(std::string_view label, std::string_view mark, int indent, std::string_view text, Ink ink);
    /// A label and two columns of their own: `left`, of `left_columns` and not wrapped, and wrapped text;
    /// one below the other where the terminal is too narrow.
    void pair(std::string_view label, std::string_view left, int left_columns, std::string_view text);
    void blank() { text_ += '\n'; }

    std::string text() const { return style_.ascii ? ascii_text() : text_; }
    int text_columns() const;

private:
    std::string ascii_text() const;
    std::string label_cell(std::string_view label) const;

    TextStyle style_;
    int label_columns_;
    std::string text_;
};

}  // namespace whygpu
