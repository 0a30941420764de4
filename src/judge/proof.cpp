#include "judge/proof.h"

#include <algorithm>

#include "base/text.h"
#include "judge/assume.h"
#include "judge/fix.h"

namespace whygpu {

namespace {

// The first row that fits, filled in.
std::vector<std::string> predicted_terms(const Finding& finding, const Document& document,
                                         const Situation& situation) {
    for (const PredictRow& row : document.predictions) {
        if (const std::optional<std::vector<std::string>> terms =
                filled_if_fitting(row.when, row.assume, finding, situation)) {
            return *terms;
        }
    }
    return {};
}

bool is_problem(const Finding& finding) {
    return finding.severity == Severity::error && finding.role != Role::consequence;
}

bool has_id(const std::vector<Finding>& findings, const std::string& id) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.id == id; });
}

}  // namespace

std::optional<Proof> prove(const Finding& finding, const Document& document, const Facts& facts,
                           const Knowledge& tables, const std::vector<RuleUnit>& rules,
                           const Diagnosis& now) {
    const std::vector<std::string> terms = predicted_terms(finding, document, now.situation);
    if (terms.empty()) {
        return std::nullopt;
    }
    Facts after = facts;
    for (const std::string& term : terms) {
        if (!assume(after, tables, term)) {
            return std::nullopt;
        }
    }
    Proof proof;
    const Diagnosis then = judge_once(after, tables, rules, RuleFilter{});
    proof.resolves = !has_id(then.findings, finding.id);
    for (const Finding& other : then.findings) {
        if (is_problem(other) && other.id != finding.id) {
            (has_id(now.findings, other.id) ? proof.left : proof.brings).push_back(other.id);
        }
    }
    return proof;
}

}  // namespace whygpu
