#pragma once

#include <map>
#include <string>
#include <vector>

namespace whygpu::testing {

/// How a run of the real program ended.
struct ProgramRun {
    int exit_code = -1;      ///< -1 when a signal ended it or it ran too long
    std::string output;      ///< standard output
    std::string error_text;  ///< standard error
    long long elapsed_ms = 0;
};

/// Runs the built whygpu with an environment of PATH, HOME=/nonexistent and `environment` alone, standard
/// input from /dev/null or `input`; killed after 30 seconds.
ProgramRun run_whygpu(const std::vector<std::string>& words,
                      const std::map<std::string, std::string>& environment = {},
                      const std::string& input = "");

}  // namespace whygpu::testing
