#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "host/host.h"

namespace whygpu::testing {

/// What `whygpu _ask NAME` did.
struct Child {
    std::vector<Json> lines;  ///< its standard output; the test fails on a line that is no JSON object
    std::string text;         ///< the same, raw
    std::string messages;     ///< its standard error
    int exit_code = -1;       ///< -1 when a signal ended it
    int signal = 0;
    bool timed_out = false;  ///< it was killed by us

    /// The last answer about a call, {} when there is none; `device` -1 is any.
    Json answer(std::string_view call, int device = -1) const;
    /// Its code; -999999 when there is none.
    std::int64_t code(std::string_view call, int device = -1) const;
    bool has(std::string_view call, int device = -1) const;
    /// The call of the last line if that is a begun call, else "".
    std::string unanswered() const;
    /// The same as a host answers it.
    Answer as_answer() const;
};

/// Runs the program with `folder` of the fake drivers ("current", "old", or a path) before all other
/// libraries and a scenario (a name, or "" for none), and kills it after `timeout_ms`.
Child ask(const std::string& driver, const std::string& folder, const std::string& scenario,
          int timeout_ms = 20000);

}  // namespace whygpu::testing
