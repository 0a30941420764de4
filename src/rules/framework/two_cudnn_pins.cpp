#include <algorithm>
#include <array>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "knowledge/rows.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::two_cudnn_pins {

namespace {

using Package = PythonFacts::Package;

/// What one framework asks of the one cuDNN package that all of them load.
struct Need {
    std::string framework;  ///< "torch 2.5.1"
    std::string wanted;     ///< "==9.1.0.70"
    std::optional<Version> pin;
    const Package* cudnn = nullptr;
    bool served = true;
    Source source;
};

/// A build runs with a cuDNN of its own major version and an equal or higher minor one.
bool serves(const Version& installed, const Need& need) {
    if (need.pin) {
        return installed.major() == need.pin->major() && major_minor(installed) >= major_minor(*need.pin);
    }
    return satisfies(installed, need.wanted).value_or(true);
}

std::optional<Need> need_of(const Facts& facts, const Package& framework) {
    for (const char* name : {"nvidia-cudnn-cu13", "nvidia-cudnn-cu12", "nvidia-cudnn-cu11"}) {
        // TensorFlow and JAX name it in an extra: the build needs it whoever installed it.
        const std::optional<Requirement> requirement = requirement_on(framework, name, facts, true);
        const Package* cudnn = package_named(facts, name);
        const std::optional<Version> installed = cudnn != nullptr ? release_of(*cudnn) : std::nullopt;
        if (!requirement || !installed) {
            continue;
        }
        Need need{*framework.name + " " + *framework.version,
                  requirement->specifiers,
                  exact_pin(*requirement),
                  cudnn,
                  true,
                  Source{framework.requirements.source().origin, 0, requirement->text}};
        need.served = serves(*installed, need);
        return need;
    }
    return std::nullopt;
}

std::vector<const Package*> frameworks_of(const Facts& facts) {
    std::vector<const Package*> frameworks;
    for (const Package& package : *facts.python.packages) {
        constexpr std::array<std::string_view, 2> names = {"torch", "tensorflow"};
        const bool plugin =
            package.name && package.name->starts_with("jax-cuda") && package.name->ends_with("-plugin");
        if (package.name && package.version &&
            (plugin || std::ranges::find(names, *package.name) != names.end())) {
            frameworks.push_back(&package);
        }
    }
    return frameworks;
}

Finding finding_for(const Need& unserved, const Need& other) {
    Finding finding;
    const std::string& version = *unserved.cudnn->version;
    finding.subject = *unserved.cudnn->name + " " + version;
    finding.args = {{"package", *unserved.cudnn->name}, {"version", version},
                    {"one", unserved.framework},        {"one_wants", unserved.wanted},
                    {"other", other.framework},         {"other_wants", other.wanted}};
    // A newer cuDNN of the same major version serves both.
    const bool raise = unserved.pin && other.pin && unserved.pin->major() == other.pin->major();
    finding.args["advice"] = raise ? "raise" : "separate";
    if (raise) {
        finding.args["fitting"] = std::max(*unserved.pin, *other.pin).text();
    }
    finding.evidence = {evidence_of(unserved.cudnn->version),
                        Evidence{unserved.source.origin, 0, unserved.source.text, "unserved"},
                        Evidence{other.source.origin, 0, other.source.text, "other"}};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    const std::vector<const Package*> frameworks = frameworks_of(input.facts);
    if (frameworks.size() < 2) {
        return input.facts.python.packages_complete ? not_applicable("fewer than two frameworks with cuDNN")
                                                    : unknown({"python.packages_complete"});
    }
    std::vector<Need> needs;
    for (const Package* framework : frameworks) {
        if (!framework->requirements && framework->requirements.why() != Missing::absent) {
            return unknown({"python.packages.requirements"});
        }
        if (std::optional<Need> need = need_of(input.facts, *framework)) {
            needs.push_back(std::move(*need));
        }
    }
    const auto unserved = std::ranges::find_if(needs, [](const Need& need) { return !need.served; });
    if (unserved == needs.end() || needs.size() < 2) {
        return clear();
    }
    const Need& other = unserved == needs.begin() ? needs[1] : needs.front();
    return fired(finding_for(*unserved, other));
}

}  // namespace whygpu::rules::framework::two_cudnn_pins
