#pragma once

#include <map>
#include <string>
#include <string_view>

#include "facts/facts.h"

namespace whygpu {

class Knowledge;

/// torchvision or torchaudio against the torch beside it: both hold compiled code for one torch series.
struct CompanionCheck {
    enum class Kind {
        no_pair,      ///< one of the two is not installed, or they are builds of one's own
        unknown,      ///< whether or which torch there is, is not known
        fits,         ///< nothing speaks against the pair
        other_torch,  ///< built for another torch series
        other_cuda,   ///< built for another CUDA than torch
        cpu_build,    ///< without GPU code beside a torch with GPU code
    };
    Kind kind = Kind::unknown;
    const PythonFacts::Package* package = nullptr;
    bool pinned = false;  ///< its own metadata says so, not our table
    Source pin;           ///< and where
    /// Placeholders: package, version, torch, cuda (of torch), its (what it was built for), fitting (the
    /// release for this torch), requirement (for pip), undo, and advice: "release", or "none" when no fitting
    /// release is known. Those that are not known are left out.
    std::map<std::string, std::string> args;
};

/// `name` is "torchvision" or "torchaudio".
CompanionCheck check_companion(const Facts& facts, const Knowledge& tables, std::string_view name);

}  // namespace whygpu
