#include "judge/judge.h"

#include <algorithm>

#include "base/text.h"
#include "facts/access.h"
#include "findings/rank.h"
#include "judge/chain.h"
#include "judge/fix.h"
#include "judge/proof.h"

namespace whygpu {

namespace {

bool starts_with_any(std::string_view id, const std::vector<std::string>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return id.starts_with(prefix); });
}

bool wanted(std::string_view id, const RuleFilter& filter) {
    return (filter.only.empty() || starts_with_any(id, filter.only)) && !starts_with_any(id, filter.skip);
}

struct NameFact {
    std::string_view name;
    std::string_view path;
};

// The fact that decides a name of the situation; for all others it is the list of GPUs.
constexpr NameFact facts_of_names[] = {
    {"wsl", "wsl.inside"},
    {"container", "container.inside"},
    {"engine", "container.engine"},
    {"vm", "os.hypervisor"},
    {"hypervisor", "os.hypervisor"},
    {"jetson", "os.jetson"},
    {"root", "os.user_id"},
    {"family", "os.id"},
    {"distro", "os.id"},
    {"distro_version", "os.version"},
    {"arch", "os.architecture"},
    {"kernel", "kernel.release"},
    {"secure_boot", "kernel.secure_boot"},
    {"nvswitch", "services.nvswitch_count"},
};

std::string fact_behind(std::string_view name) {
    for (const NameFact& row : facts_of_names) {
        if (row.name == name) {
            return std::string(row.path);
        }
    }
    return "pci.gpus";
}

// The facts behind the situation values that a rule's `applies` terms ask for, as far as they are
// missing: what the user would have to make readable.
std::vector<std::string> facts_behind(const std::vector<std::string>& terms, const Situation& situation) {
    std::vector<std::string> missing;
    for (const std::string& term : terms) {
        if (holds(situation, term) == Truth::unknown) {
            missing.push_back(fact_behind(term.substr(0, term.find_first_of("!="))));
        }
    }
    return missing;
}

void complete(Finding& finding, const Document& document, const Situation& situation) {
    finding.id = document.id;
    finding.severity = finding.softened.value_or(document.severity);
    finding.explains = document.explains;
    finding.fix = choose_fix(document, finding, situation);
    finding.verify = choose_verify(document, finding, situation);
}

Finding internal_finding(const std::string& rule, const char* what) {
    Finding finding;
    finding.id = "whygpu.internal";
    finding.severity = Severity::warning;
    finding.subject = rule;
    finding.args = {{"unit", rule}, {"what", what}};
    return finding;
}

void count(const Verdict& verdict, Counts& counts) {
    switch (verdict.kind) {
        case Verdict::Kind::fired:
            ++counts.fired;
            break;
        case Verdict::Kind::clear:
            ++counts.clear;
            break;
        case Verdict::Kind::not_applicable:
            ++counts.not_applicable;
            break;
        case Verdict::Kind::unknown:
            ++counts.unknown;
            break;
    }
}

Health health_of(const Diagnosis& diagnosis) {
    const auto has = [&](Severity severity) {
        return std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(),
                           [&](const Finding& finding) { return finding.severity == severity; });
    };
    if (has(Severity::error)) {
        return Health::broken;
    }
    // Without the first link nothing is known, whatever else could be read.
    const bool hardware_unknown = !diagnosis.situation.value("capable").has_value();
    if (hardware_unknown) {
        return Health::unknown;
    }
    return has(Severity::warning) ? Health::degraded : Health::ok;
}

}  // namespace

std::string_view name_of(Health health) {
    switch (health) {
        case Health::ok:
            return "ok";
        case Health::degraded:
            return "degraded";
        case Health::broken:
            return "broken";
        case Health::unknown:
            break;
    }
    return "unknown";
}

Verdict run_rule(const RuleUnit& rule, const Facts& facts, const Knowledge& tables,
                 const Situation& situation) {
    const Document& document = rule.document;
    const Truth applies = all_hold(situation, document.applies);
    if (applies == Truth::no) {
        return not_applicable("not for this machine: " + join(document.applies, ", "));
    }
    if (applies == Truth::unknown) {
        return unknown(facts_behind(document.applies, situation));
    }
    std::vector<std::string> missing;
    for (const std::string& need : document.needs) {
        const std::optional<FactState> state = fact_state(facts, need);
        if (!state || !state->known) {
            missing.push_back(need);
        }
    }
    if (!missing.empty()) {
        return unknown(std::move(missing));
    }
    Verdict verdict = rule.check(RuleInput{facts, tables});
    for (Finding& finding : verdict.findings) {
        complete(finding, document, situation);
    }
    return verdict;
}

Diagnosis judge(const Facts& facts, const Knowledge& tables, const std::vector<RuleUnit>& rules,
                const RuleFilter& filter) {
    Diagnosis diagnosis = judge_once(facts, tables, rules, filter);
    for (Finding& finding : diagnosis.findings) {
        const auto rule = std::find_if(rules.begin(), rules.end(),
                                       [&](const RuleUnit& unit) { return unit.document.id == finding.id; });
        if (rule == rules.end() || finding.role == Role::consequence) {
            continue;
        }
        finding.proof = prove(finding, rule->document, facts, tables, rules, diagnosis);
        // Advice that would break something else is none.
        if (finding.proof && !finding.proof->brings.empty()) {
            finding.fix.clear();
            finding.verify.clear();
        }
    }
    return diagnosis;
}

Diagnosis judge_once(const Facts& facts, const Knowledge& tables, const std::vector<RuleUnit>& rules,
                     const RuleFilter& filter) {
    Diagnosis diagnosis;
    diagnosis.situation = situation_of(facts, tables);
    ChainTally tally;
    for (const RuleUnit& rule : rules) {
        if (!wanted(rule.document.id, filter)) {
            continue;
        }
        Verdict verdict;
        try {
            verdict = run_rule(rule, facts, tables, diagnosis.situation);
        } catch (const std::exception& error) {
            // One broken rule must not cost the user the answers of the others.
            verdict = fired(internal_finding(rule.document.id, error.what()));
        }
        count(verdict, diagnosis.counts);
        tally.add(rule.document, verdict);
        if (verdict.kind == Verdict::Kind::unknown) {
            diagnosis.unknown.push_back(
                {rule.document.id, rule.document.severity, std::move(verdict.missing)});
        }
        std::move(verdict.findings.begin(), verdict.findings.end(), std::back_inserter(diagnosis.findings));
    }
    diagnosis.findings = ranked(std::move(diagnosis.findings));
    diagnosis.health = health_of(diagnosis);
    diagnosis.chain = tally.links();
    return diagnosis;
}

}  // namespace whygpu
