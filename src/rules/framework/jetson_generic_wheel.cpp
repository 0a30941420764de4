#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::jetson_generic_wheel {

namespace {

// Wheels of pytorch.org and PyPI name their index in the version or NVIDIA's wheels in their
// requirements; builds for a Jetson do neither, since JetPack brings the libraries.
std::optional<bool> is_generic(const PythonFacts::Package& package, const InstalledTorch& torch) {
    const std::string& local = torch.version.local;
    if (local == "cpu" || local.starts_with("cu")) {
        return true;
    }
    if (!local.empty() || torch.version.pre_release) {
        return false;
    }
    if (!package.requirements) {
        return package.requirements.why() == Missing::absent ? std::optional(false) : std::nullopt;
    }
    return std::ranges::any_of(*package.requirements, [](const std::string& requirement) {
        return requirement.starts_with("nvidia-") || requirement.starts_with("cuda-toolkit");
    });
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    const PythonFacts::Package* package = package_named(input.facts, "torch");
    if (package == nullptr) {
        return not_applicable("no PyTorch in the default Python");
    }
    const std::optional<InstalledTorch> torch = installed_torch(input.facts, input.tables);
    if (!torch) {
        return unknown({"python.torch_version"});
    }
    const std::optional<bool> generic = is_generic(*package, *torch);
    if (!generic) {
        return unknown({"python.packages.requirements"});
    }
    if (!*generic) {
        return clear();
    }
    Finding finding;
    finding.subject = "torch " + torch->version_text;
    finding.args = {{"version", torch->version_text}};
    finding.evidence = {evidence_of(input.facts.python.torch_version)};
    if (!torch->cuda) {
        finding.variant = "cpu";
        return fired(std::move(finding));
    }
    // Thor and later run the generic builds for ARM servers, if these have code for them.
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    const auto gpu =
        std::ranges::find_if(gpus, [](const Gpu& one) { return one.compute_capability.has_value(); });
    if (gpu == gpus.end() || !torch->code) {
        return unknown({gpu == gpus.end() ? "cuda.devices" : "python.torch_version"});
    }
    if (code_fit(*torch->code, *gpu->compute_capability) != CodeFit::none) {
        return clear();
    }
    finding.args["gpu"] = gpu->name;
    finding.args["capability"] = gpu->compute_capability->text();
    finding.evidence.push_back(
        Evidence{"torch " + torch->version_text, 0, join(torch->code->sm, " "), "code"});
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::jetson_generic_wheel
