#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::jax_cuda_plugin_incomplete {

namespace {

using Package = PythonFacts::Package;

/// The installed jax-cuda12-plugin or the like; `ending` is "-plugin" or "-pjrt".
const Package* piece(const Facts& facts, std::string_view ending) {
    for (const Package& package : *facts.python.packages) {
        if (package.name && package.version && package.name->starts_with("jax-cuda") &&
            package.name->ends_with(ending)) {
            return &package;
        }
    }
    return nullptr;
}

Finding finding_for(std::string variant, const Package& one, const Package& other) {
    Finding finding;
    finding.subject = *one.name + " " + *one.version;
    finding.variant = std::move(variant);
    finding.args = {{"package", *one.name},
                    {"version", *one.version},
                    {"other", *other.name},
                    {"other_version", *other.version},
                    {"case", finding.variant}};
    finding.evidence = {evidence_of(one.version), evidence_of(other.version)};
    return finding;
}

/// "jax-cuda12-plugin" → "cuda12"
std::string extra_of(const Package& piece) {
    const std::size_t start = std::string_view("jax-").size();
    return piece.name->substr(start, piece.name->find('-', start) - start);
}

bool differ(const Package& one, const Package& other) {
    const std::optional<Version> first = release_of(one);
    const std::optional<Version> second = release_of(other);
    return first && second && *first != *second;
}

// Of the first three parts: 0.9.0.1 goes with 0.9.0.
bool is_newer(const Package& one, const Package& other) {
    const auto three = [](const Version& version) {
        return Version({version.part(0), version.part(1), version.part(2)});
    };
    const std::optional<Version> first = release_of(one);
    const std::optional<Version> second = release_of(other);
    return first && second && three(*first) > three(*second);
}

/// The last part of the plug-in's name and its partner's: either alone is of no use.
std::vector<Finding> plugin_findings(const Facts& facts, const Package& jaxlib) {
    const Package* plugin = piece(facts, "-plugin");
    const Package* pjrt = piece(facts, "-pjrt");
    std::vector<Finding> findings;
    if (plugin == nullptr && pjrt == nullptr) {
        return findings;
    }
    if (plugin == nullptr || pjrt == nullptr) {
        const Package& there = plugin == nullptr ? *pjrt : *plugin;
        Finding finding = finding_for("alone", there, jaxlib);
        finding.args["lacks"] = "jax-" + extra_of(there) + (plugin == nullptr ? "-plugin" : "-pjrt");
        finding.args["extra"] = extra_of(there);
        findings.push_back(std::move(finding));
        return findings;
    }
    for (const Package* one : {plugin, pjrt}) {
        if (differ(*one, jaxlib)) {
            findings.push_back(finding_for("", *one, jaxlib));
            findings.back().args["extra"] = extra_of(*one);
            return findings;
        }
    }
    return findings;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    const Package* jax = package_named(input.facts, "jax");
    const Package* jaxlib = package_named(input.facts, "jaxlib");
    if (jax == nullptr || jaxlib == nullptr) {
        return input.facts.python.packages_complete || jax != nullptr || jaxlib != nullptr
                   ? not_applicable("no jax with its jaxlib in the default Python")
                   : unknown({"python.packages_complete"});
    }
    std::vector<Finding> findings = plugin_findings(input.facts, *jaxlib);
    if (is_newer(*jaxlib, *jax)) {
        findings.push_back(finding_for("newer", *jaxlib, *jax));
    }
    for (Finding& finding : findings) {
        finding.args["jax"] = *jax->version;
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::framework::jax_cuda_plugin_incomplete
