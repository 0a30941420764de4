// What is printed to a terminal: nothing of a stranger's text may steer it, and no line may be wider than
// promised. The first byte is the width.

#include <algorithm>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "check.h"

using namespace whygpu;
using fuzz::require;

namespace {

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
}

// Only a line end may stay of the control characters, also of those of Latin-1 (U+0080 to U+009F).
void check_printable(const std::string& safe) {
    require(fuzz::is_utf8(safe), "printable gives UTF-8");
    std::string without_ends = safe;
    std::erase(without_ends, '\n');
    require(!has_control(without_ends), "printable leaves no control character");
    for (std::size_t at = 0; at + 1 < safe.size(); ++at) {
        const bool c1 = safe[at] == '\xC2' && safe[at + 1] >= '\x80' && safe[at + 1] <= '\x9F';
        require(!c1, "printable leaves no C1 control character");
    }
    require(printable(safe) == safe, "printable twice is printable once");
}

void check_wrapped(const std::string& safe, int columns) {
    const std::vector<std::string> lines = wrapped(safe, columns);
    require(!lines.empty(), "wrapped is never empty");
    std::string kept;
    for (const std::string& line : lines) {
        require(fuzz::is_utf8(line), "wrapped lines are UTF-8");
        require(line.find('\n') == std::string::npos, "a wrapped line is one line");
        const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
        const bool one_word = line.find(' ', start) == std::string::npos;
        require(display_width(line) <= columns || one_word, "only a word alone may be wider than the line");
        kept += line;
    }
    std::string text = safe;
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    std::erase(kept, ' ');
    require(kept == text, "wrapping loses nothing but white space");
}

void check_shortened(const std::string& safe, int columns) {
    for (const bool ascii : {false, true}) {
        const std::string cut = shortened(safe, columns, ascii);
        require(fuzz::is_utf8(cut), "shortened text is UTF-8");
        require(display_width(cut) <= columns, "shortened text fits");
        require(display_width(safe) > columns || cut == safe, "what fits is not shortened");
    }
    require(display_width(padded(safe, columns)) == std::max(columns, display_width(safe)),
            "padded to the width");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const int columns = data[0] % 120;
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    require(display_width(text) >= 0, "a width is not negative");
    const std::string plain = ascii_only(text);
    require(std::all_of(plain.begin(), plain.end(), [](char c) { return c >= 0; }), "ascii_only gives ASCII");
    const std::string safe = printable(text);
    check_printable(safe);
    check_wrapped(safe, std::max(columns, 1));
    check_shortened(safe, columns);
    return 0;
}
