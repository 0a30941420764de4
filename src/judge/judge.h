#pragma once

#include <map>
#include <string>
#include <vector>

#include "facts/facts.h"
#include "findings/finding.h"
#include "judge/situation.h"
#include "units/library.h"

namespace whygpu {

/// How many rules said what.
struct Counts {
    int fired = 0;
    int clear = 0;
    int not_applicable = 0;
    int unknown = 0;
};

/// A rule that could not say, with the facts that it lacked.
struct UnknownRule {
    std::string rule;
    Severity severity = Severity::error;
    std::vector<std::string> missing;
};

/// The verdict on the machine and its identifier in JSON; unknown when nothing decisive could be read.
enum class Health { ok, degraded, broken, unknown };
std::string_view name_of(Health health);

/// The state of one link of the chain hardware → driver → … → code.
enum class LinkState { ok, warning, broken, not_applicable, unknown };
struct Link {
    std::string name;
    LinkState state = LinkState::unknown;
};

struct Diagnosis {
    Health health = Health::unknown;
    std::vector<Finding> findings;  ///< ranked, fixes chosen for this machine
    Counts counts;
    std::vector<UnknownRule> unknown;
    std::vector<Link> chain;
    Situation situation;
};

/// Which rules to run: ids that start with one of the prefixes; empty means all.
struct RuleFilter {
    std::vector<std::string> only;
    std::vector<std::string> skip;
};

/// Runs the rules over the facts, chooses the fixes, proves them and ranks what was found. A rule that breaks
/// becomes the finding `whygpu.internal`.
Diagnosis judge(const Facts& facts, const Knowledge& tables, const std::vector<RuleUnit>& rules,
                const RuleFilter& filter);

/// The same without proving the fixes, which runs the rules again.
Diagnosis judge_once(const Facts& facts, const Knowledge& tables, const std::vector<RuleUnit>& rules,
                     const RuleFilter& filter);

/// One rule as the judge runs it: `applies`, then `needs`, then the function. The findings carry the
/// document's id, severity, explains, fixes and verification.
Verdict run_rule(const RuleUnit& rule, const Facts& facts, const Knowledge& tables,
                 const Situation& situation);

}  // namespace whygpu
