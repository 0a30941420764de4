#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/environment.h"
#include "units/registry.h"

namespace whygpu::rules::env::unknown_variable {

namespace {

Finding finding_for(const EnvironmentFacts::Variable& variable, const std::string& variant,
                    const std::string& instead) {
    Finding finding;
    finding.subject = *variable.name;
    finding.variant = variant;
    finding.args = {{"variable", *variable.name}, {"kind", variant}};
    if (!instead.empty()) {
        finding.args["instead"] = instead;
    }
    finding.evidence = {evidence_of(variable.value)};
    finding.confidence = Confidence::likely;
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    std::vector<Finding> findings;
    for (const EnvironmentFacts::Variable& variable : *input.facts.environment.variables) {
        if (!variable.name || !variable.value) {
            continue;
        }
        const VariableStatus status = variable_status(input.tables, *variable.name);
        if (status.kind == VariableStatus::Kind::unread) {
            // Some slips of the keyboard are so common that the table lists them.
            const bool slip = nearest_known(input.tables, *variable.name) == status.use_instead;
            const char* variant = status.use_instead.empty() ? "" : slip ? "misspelt" : "unread";
            findings.push_back(finding_for(variable, variant, status.use_instead));
        } else if (status.kind == VariableStatus::Kind::renamed) {
            findings.push_back(finding_for(variable, "renamed", status.use_instead));
            findings.back().softened = Severity::note;
        } else if (status.kind == VariableStatus::Kind::unknown) {
            // A name that is near no known one may belong to a program of the user's own.
            if (const std::optional<std::string> meant = nearest_known(input.tables, *variable.name)) {
                findings.push_back(finding_for(variable, "misspelt", *meant));
            }
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::env::unknown_variable
