#pragma once

#include <optional>

#include "facts/facts.h"
#include "findings/finding.h"

namespace whygpu::rules::framework {

/// The verdict of a rule about packages where the packages were not seen; empty where they were.
inline std::optional<Verdict> without_packages(const Facts& facts) {
    if (facts.python.packages) {
        return std::nullopt;
    }
    return facts.python.packages.why() == Missing::absent ? not_applicable("no Python was found")
                                                          : unknown({"python.packages"});
}

}  // namespace whygpu::rules::framework
