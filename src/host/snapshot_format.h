#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/host.h"

// The text of `*.answers` files, made to be read, reviewed and written by hand:
//
//     # comments stand before the first record only
//     == file /proc/version
//     Linux version 6.8.0-64-generic …
//     == file /etc/shadow [denied: permission denied]
//     == command systemctl show x.service --property=ActiveState [exit 3]
//     == driver cuda [crashed: child ended by signal 11 (SIGSEGV)]
//     {"call":"cuInit", …
//     == absent /proc/driver/nvidia
//
// A record is a line `== KIND ARGUMENT [attribute; attribute]` and the answer's text. Attributes:
// a name of Missing with ": reason", `exit N`, `truncated`, `no newline` (the text does not end in
// one) and `base64` (the text holds control characters or is not UTF-8). Body lines that start with
// "==" or "\" carry a "\" in front. In header lines %HH stands for a byte that would be misread there.

namespace whygpu {

/// Answers by query: what a recording holds.
using Records = std::map<Query, Answer>;

/// What answers files say.
struct RecordedAnswers {
    Records records;
    std::vector<std::string> absent_prefixes;  ///< paths that, with all below them, do not exist
};

/// The text of the records, in the order of their queries. parse_answers gives back each answer as
/// it was, but for a `because` without `missing`.
std::string format_answers(const Records& records);

/// Reads such a text; the first record of a query wins. The error names the line.
Result<RecordedAnswers> parse_answers(std::string_view text);

}  // namespace whygpu
