#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::install_incomplete {

namespace {

/// The NVIDIA libraries that torch's own metadata asks for on this machine and that are not there, or are
/// there in another major version, whose file has another name.
struct Lacking {
    std::vector<std::string> names;  ///< "nvidia-cudnn-cu12==9.1.0.70"
    std::string other_version;       ///< of the first one, where it is there in another major version
};

Lacking lacking_of(const Facts& facts, const PythonFacts::Package& torch) {
    Lacking lacking;
    for (const std::string& line : *torch.requirements) {
        const Requirement requirement = parse_requirement(line);
        const std::optional<Version> pin = exact_pin(requirement);
        if (!requirement.name.starts_with("nvidia-") || !pin || !counts_here(requirement, facts, false)) {
            continue;
        }
        const PythonFacts::Package* package = package_named(facts, requirement.name);
        const std::optional<Version> release = package != nullptr ? release_of(*package) : std::nullopt;
        const bool other_major = release && release->major() != pin->major();
        if (package != nullptr && !other_major) {
            continue;
        }
        if (lacking.names.empty() && other_major) {
            lacking.other_version = *package->version;
        }
        lacking.names.push_back(requirement.name + requirement.specifiers);
    }
    return lacking;
}

// Libraries of the system may serve instead: whoever installs with --no-deps often means that.
bool system_may_serve(const ToolkitFacts& toolkit) {
    return (toolkit.cached_cuda_libraries && !toolkit.cached_cuda_libraries->empty()) ||
           (toolkit.cuda_library_dirs && !toolkit.cuda_library_dirs->empty());
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (const std::optional<Verdict> verdict = without_packages(facts)) {
        return *verdict;
    }
    const PythonFacts::Package* torch = package_named(facts, "torch");
    if (torch == nullptr) {
        return not_applicable("no PyTorch in the default Python");
    }
    if (!torch->requirements) {
        // Builds of conda and of distributions, which bring their libraries otherwise, have no such file.
        return torch->requirements.why() == Missing::absent ? not_applicable("torch lists no requirements")
                                                            : unknown({"python.packages.requirements"});
    }
    const Lacking lacking = lacking_of(facts, *torch);
    if (lacking.names.empty()) {
        return clear();
    }
    if (!facts.python.packages_complete) {
        return unknown({"python.packages_complete"});
    }
    Finding finding;
    finding.subject = "torch " + *torch->version;
    finding.variant = lacking.other_version.empty() ? "" : "other-version";
    finding.args = {{"version", *torch->version},
                    {"count", std::to_string(lacking.names.size())},
                    {"first", lacking.names.front()},
                    {"there", lacking.other_version},
                    {"requirements", join(lacking.names, " ")}};
    finding.evidence = {evidence_of(torch->version)};
    for (const std::string& name : lacking.names) {
        finding.evidence.push_back(Evidence{torch->requirements.source().origin, 0, name, "wanted"});
    }
    if (system_may_serve(facts.toolkit)) {
        finding.softened = Severity::warning;
        finding.confidence = Confidence::likely;
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::install_incomplete
