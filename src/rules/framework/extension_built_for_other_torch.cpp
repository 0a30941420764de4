#include <array>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/installed_torch.h"
#include "knowledge/python_packages.h"
#include "knowledge/rows.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::extension_built_for_other_torch {

namespace {

using Package = PythonFacts::Package;

// Packages with compiled code for one torch series. Those without a pin in their metadata say it in their
// local version.
constexpr std::array<std::string_view, 10> extensions = {
    "xformers",      "vllm",         "flash-attn",    "causal-conv1d",     "mamba-ssm",
    "torch-scatter", "torch-sparse", "torch-cluster", "torch-spline-conv", "pyg-lib"};

/// "cu12torch2.6cxx11abiFALSE" → 2.6, "pt24cu121" → 2.4.
std::optional<Version> torch_in(std::string_view local) {
    if (const std::size_t at = local.find("torch"); at != std::string_view::npos) {
        return Version::parse_prefix(local.substr(at + std::string_view("torch").size()));
    }
    const std::optional<std::string_view> digits = after_prefix(local, "pt");
    const std::size_t end = digits ? digits->find("cu") : std::string_view::npos;
    if (!digits || end == std::string_view::npos || end < 2) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> major = parse_int(digits->substr(0, 1));
    const std::optional<std::int64_t> minor = parse_int(digits->substr(1, end - 1));
    return major && minor ? std::optional(Version({static_cast<int>(*major), static_cast<int>(*minor)}))
                          : std::nullopt;
}

struct Built {
    std::optional<Version> torch;
    Evidence evidence;
};

Built built_for(const Facts& facts, const Package& package) {
    if (const std::optional<Version> torch = torch_in(local_of(package))) {
        return {torch, evidence_of(package.version, "tag")};
    }
    const std::optional<Requirement> requirement = requirement_on(package, "torch", facts);
    if (!requirement) {
        return {};
    }
    return {exact_pin(*requirement),
            Evidence{package.requirements.source().origin, 0, requirement->text, "pin"}};
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    const std::optional<InstalledTorch> torch = installed_torch(input.facts, input.tables);
    std::vector<Finding> findings;
    bool any = false;
    for (const std::string_view name : extensions) {
        const Package* package = package_named(input.facts, name);
        if (package == nullptr) {
            continue;
        }
        any = true;
        Built built = built_for(input.facts, *package);
        if (!torch || !built.torch || major_minor(*built.torch) == major_minor(torch->version.release)) {
            continue;
        }
        Finding finding;
        finding.subject = std::string(name) + " " + *package->version;
        finding.args = {{"package", std::string(name)},
                        {"version", *package->version},
                        {"built", major_minor(*built.torch).text()},
                        {"torch", torch->version_text},
                        {"pinned", local_of(*package).empty() ? "true" : "false"}};
        finding.evidence = {std::move(built.evidence),
                            evidence_of(input.facts.python.torch_version, "torch")};
        if (name == "xformers") {
            finding.softened = Severity::warning;  // it imports and goes without its kernels
        }
        findings.push_back(std::move(finding));
    }
    if (!any) {
        return not_applicable("no compiled extension of PyTorch");
    }
    return torch ? fired(std::move(findings)) : unknown({"python.torch_version"});
}

}  // namespace whygpu::rules::framework::extension_built_for_other_torch
