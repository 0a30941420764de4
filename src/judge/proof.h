#pragma once

#include <optional>

#include "facts/facts.h"
#include "findings/finding.h"
#include "judge/judge.h"

namespace whygpu {

/// What the rules would say after a finding's fix: the facts that its document predicts ([[predict]]) are
/// assumed and the rules run again. Empty when the document predicts nothing for this machine, or when its
/// prediction wants a value that is not known.
std::optional<Proof> prove(const Finding& finding, const Document& document, const Facts& facts,
                           const Knowledge& tables, const std::vector<RuleUnit>& rules, const Diagnosis& now);

}  // namespace whygpu
