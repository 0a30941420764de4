#include "base/unicode.h"

#include <algorithm>
#include <utility>

#include "base/code_points.h"

namespace whygpu {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr char32_t joiner = 0x200D;

// What ends a line badly and what begins one badly: the usual rules of Chinese and Japanese
// typesetting (UAX #14 classes OP; CL, CP, EX, IS, NS).
constexpr std::u32string_view opening = U"（「『【《〈〔｛［“‘([{$￥";
constexpr std::u32string_view closing = U"。，、）：；！？」』】》〉〕｝］”’…—·～％ー々),.:;!?]}%'\"";
// Narrow signs that stand among wide characters and next to which a line may be broken.
constexpr std::u32string_view quotes_before = U"“‘";
constexpr std::u32string_view signs_after = U"”’…—·";

bool is_one_of(std::u32string_view set, char32_t value) {
    return set.find(value) != std::u32string_view::npos;
}

bool is_alphanumeric(char32_t value) {
    return (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z');
}

// ---- escape sequences (ECMA-48) ----

bool in_range(std::string_view text, std::size_t at, char first, char last) {
    return at < text.size() && text[at] >= first && text[at] <= last;
}

/// The end of a control sequence whose parameters begin at `at`. A sequence that is cut short by
/// another character ends before that one.
std::size_t end_of_control_sequence(std::string_view text, std::size_t at) {
    while (in_range(text, at, '\x30', '\x3F')) {
        ++at;
    }
    while (in_range(text, at, '\x20', '\x2F')) {
        ++at;
    }
    return in_range(text, at, '\x40', '\x7E') ? at + 1 : at;
}

/// The end of a control string (window title, hyperlink, device control). A terminal would swallow
/// all that follows an unfinished one; here it ends with its line.
std::size_t end_of_control_string(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] != '\n') {
        const std::string_view rest = text.substr(at);
        if (rest[0] == '\a') {
            return at + 1;
        }
        if (rest.starts_with("\x1b\\") || rest.starts_with("\xC2\x9C")) {
            return at + 2;
        }
        ++at;
    }
    return at;
}

/// The end of the escape sequence whose ESC stands before `at`.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
    if (at >= text.size()) {
        return at;
    }
    switch (text[at]) {
        case '[':
            return end_of_control_sequence(text, at + 1);
        case ']':
        case 'P':
        case 'X':
        case '^':
        case '_':
            return end_of_control_string(text, at + 1);
        default:
            break;
    }
    while (in_range(text, at, '\x20', '\x2F')) {
        ++at;
    }
    return in_range(text, at, '\x30', '\x7E') ? at + 1 : at;
}

/// The same for a C1 control character (U+0080 to U+009F), the one-character form of ESC and a letter.
std::size_t end_of_c1(char32_t value, std::string_view text, std::size_t at) {
    switch (value) {
        case 0x9B:
            return end_of_control_sequence(text, at);
        case 0x90:
        case 0x98:
        case 0x9D:
        case 0x9E:
        case 0x9F:
            return end_of_control_string(text, at);
        default:
            return at;
    }
}

/// Characters that change the order or the lines of what stands around them, and the byte order mark.
bool is_invisible_control(char32_t value) {
    return (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069) || value == 0x200E ||
           value == 0x200F || value == 0x061C || value == 0x2028 || value == 0x2029 || value == 0xFEFF;
}

/// Collects lines as a terminal would leave them when every new text after a carriage return
/// replaces the line.
class Lines {
public:
    void add(std::string_view visible) {
        if (returned_) {
            text_.resize(line_start_);
            returned_ = false;
        }
        text_ += visible;
    }
    void carriage_return() { returned_ = true; }
    void end_line() {
        text_ += '\n';
        line_start_ = text_.size();
        returned_ = false;
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
    std::size_t line_start_ = 0;
    bool returned_ = false;
};

/// Adds one ASCII character; returns where the next character begins.
std::size_t add_ascii(std::string_view text, std::size_t at, Lines& lines) {
    const char c = text[at];
    switch (c) {
        case '\n':
            lines.end_line();
            return at + 1;
        case '\r':
            lines.carriage_return();
            return at + 1;
        case '\t':
            lines.add("    ");
            return at + 1;
        case '\x1b':
            return end_of_escape(text, at + 1);
        default:
            break;
    }
    if (c >= ' ' && c < '\x7F') {
        lines.add(text.substr(at, 1));
    }
    return at + 1;
}

// ---- breaking lines ----

bool may_break(char32_t before, char32_t after) {
    if (is_zero_width(after) || before == joiner || is_one_of(closing, after) || is_one_of(opening, before)) {
        return false;
    }
    if (is_wide(before)) {
        return is_wide(after) || is_alphanumeric(after) || is_one_of(quotes_before, after);
    }
    return is_wide(after) && (is_alphanumeric(before) || is_one_of(signs_after, before));
}

/// A piece of a line that is not broken, with the spaces before it.
struct Piece {
    std::size_t spaces = 0;
    std::string_view text;
    int width = 0;
};

/// The piece that begins at `at`, behind its spaces.
Piece piece_at(std::string_view line, std::size_t at) {
    Piece piece;
    const std::size_t start = std::min(line.find_first_not_of(' ', at), line.size());
    piece.spaces = start - at;
    std::size_t end = start;
    char32_t before = 0;
    while (end < line.size() && line[end] != ' ') {
        const CodePoint point = code_point_at(line, end);
        if (end > start && point.valid && may_break(before, point.value)) {
            break;
        }
        // A mark belongs to its letter: what may follow the letter may follow both.
        if (!is_zero_width(point.value) || point.value == joiner) {
            before = point.value;
        }
        piece.width += point.valid ? width_of(point.value) : 1;
        end += point.bytes;
    }
    piece.text = line.substr(start, end - start);
    return piece;
}

void wrap_line(std::string_view line, int columns, std::vector<std::string>& out) {
    std::string current;
    int width = 0;
    bool empty = true;
    std::size_t at = 0;
    while (at < line.size()) {
        const Piece piece = piece_at(line, at);
        at += piece.spaces + piece.text.size();
        if (piece.text.empty()) {
            break;
        }
        int spaces = static_cast<int>(piece.spaces);
        if (!empty && width + spaces + piece.width > columns) {
            out.push_back(std::move(current));
            current.clear();
            width = 0;
            spaces = 0;
        }
        current.append(static_cast<std::size_t>(spaces), ' ');
        current += piece.text;
        width += spaces + piece.width;
        empty = false;
    }
    out.push_back(std::move(current));
}

// ---- ASCII ----

struct LookAlike {
    char32_t sign;
    std::string_view ascii;
};

constexpr LookAlike look_alikes[] = {
    {U'✓', "+"},  {U'✗', "x"},  {U'–', "-"},  {U'—', "-"},  {U'…', "..."},    {U'·', "-"},
    {U'→', "->"}, {U'←', "<-"}, {U'≥', ">="}, {U'≤', "<="}, {U'≈', "~"},      {U'×', "x"},
    {U'“', "\""}, {U'”', "\""}, {U'‘', "'"},  {U'’', "'"},  {U'●', "*"},      {U'•', "*"},
    {U'├', "|"},  {U'└', "`"},  {U'│', "|"},  {U'─', "-"},  {U'\u00A0', " "},
};

std::string_view ascii_for(char32_t value) {
    for (const LookAlike& pair : look_alikes) {
        if (pair.sign == value) {
            return pair.ascii;
        }
    }
    return "?";
}

}  // namespace

std::string printable(std::string_view text) {
    Lines lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const CodePoint point = code_point_at(text, at);
        if (!point.valid) {
            lines.add(replacement);
            ++at;
        } else if (point.value < 0x80) {
            at = add_ascii(text, at, lines);
        } else if (point.value < 0xA0) {
            at = end_of_c1(point.value, text, at + point.bytes);
        } else {
            if (!is_invisible_control(point.value)) {
                lines.add(text.substr(at, point.bytes));
            }
            at += point.bytes;
        }
    }
    return lines.take();
}

int display_width(std::string_view text) {
    int width = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const CodePoint point = code_point_at(text, at);
        width += point.valid ? width_of(point.value) : 1;
        at += point.bytes;
    }
    return width;
}

std::string padded(std::string_view text, int columns) {
    std::string out(text);
    const int missing = columns - display_width(text);
    if (missing > 0) {
        out.append(static_cast<std::size_t>(missing), ' ');
    }
    return out;
}

std::string shortened(std::string_view text, int columns, bool ascii) {
    if (display_width(text) <= columns) {
        return std::string(text);
    }
    const int dots = ascii ? std::clamp(columns, 0, 3) : std::clamp(columns, 0, 1);
    const int room = columns - dots;
    int width = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const CodePoint point = code_point_at(text, at);
        width += point.valid ? width_of(point.value) : 1;
        if (width > room) {
            break;
        }
        at += point.bytes;
    }
    std::string out(text.substr(0, at));
    if (ascii) {
        return out.append(static_cast<std::size_t>(dots), '.');
    }
    return dots > 0 ? out + "…" : out;
}

std::vector<std::string> wrapped(std::string_view text, int columns) {
    std::vector<std::string> out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        wrap_line(text.substr(at, end - at), columns, out);
        at = end + 1;
    }
    if (out.empty()) {
        out.emplace_back();
    }
    return out;
}

std::string ascii_only(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const CodePoint point = code_point_at(text, at);
        if (point.valid && point.value < 0x80) {
            out += text[at];
        } else if (!point.valid || !is_zero_width(point.value)) {
            out += point.valid ? ascii_for(point.value) : "?";
        }
        at += point.bytes;
    }
    return out;
}

}  // namespace whygpu
