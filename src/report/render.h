#pragma once

#include <string>

#include "report/view.h"

namespace whygpu {

/// How a terminal can show text.
struct TextStyle {
    bool color = false;
    bool ascii = false;    ///< no UTF-8: signs are replaced by look-alikes
    int columns = 100;     ///< 40 at least
    bool verbose = false;  ///< all evidence and every reason
};

/// The report for people: about 25 lines. Commands are never broken or shortened.
std::string render_text(const Report& report, const Catalogue& words, const TextStyle& style);

/// The contract for scripts, whygpu.report/1 (../shared/DESIGN.md, section 4); ends with a newline.
std::string render_json(const Report& report);

/// The report for an issue or a chat; everything from outside is escaped or fenced.
std::string render_markdown(const Report& report, const Catalogue& words);

/// The repair as a commented shell script that stops before it does anything.
std::string render_script(const Report& report, const Catalogue& words);

}  // namespace whygpu
