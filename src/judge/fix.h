#pragma once

#include <optional>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "judge/situation.h"
#include "units/document.h"

namespace whygpu {

/// Chooses for each step of a document's repair the first way that fits this machine (a step without
/// one is left out) and fills the placeholders of its commands. A way whose commands want a value that
/// is not known, or that a shell would not take as plain text, does not fit.
std::vector<FixStep> choose_fix(const Document& document, const Finding& finding, const Situation& situation);

/// The commands of the first [[verify]] row that fits.
std::vector<std::string> choose_verify(const Document& document, const Finding& finding,
                                       const Situation& situation);

/// Patterns filled for a finding when all terms hold and none keeps a hole; empty otherwise.
std::optional<std::vector<std::string>> filled_if_fitting(const std::vector<std::string>& when,
                                                          const std::vector<std::string>& patterns,
                                                          const Finding& finding, const Situation& situation);

}  // namespace whygpu
