#pragma once

#include <memory>

#include "cli/session.h"
#include "facts/facts.h"
#include "knowledge/knowledge.h"
#include "units/library.h"

namespace whygpu {

/// The machine that a command is asked to look at.
struct Machine {
    std::shared_ptr<Host> host;
    bool replay = false;  ///< not the machine under us: nothing of the running one may leak in
};

/// --snapshot, --root or the live machine. Errors are worded for the user.
Result<Machine> open_machine(const Arguments& arguments);

/// The built-in tables with the user's additions: --knowledge DIR, else the folder
/// whygpu/knowledge beneath XDG_CONFIG_HOME or ~/.config.
Result<Knowledge> load_knowledge(const Arguments& arguments);

/// The facts of a snapshot (for `diff`), collected as the doctor does.
Result<Facts> facts_of_snapshot(const std::string& path, const UnitLibrary& units,
                                std::chrono::steady_clock::time_point deadline);

}  // namespace whygpu
