#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "knowledge/wheel_code.h"
#include "units/registry.h"

namespace whygpu::rules::framework::python_version_has_no_wheel {

namespace {

bool has_wheel(const RuleInput& input, const Version& capability, const Version& python) {
    return newest_torch_for(input.tables, capability, std::nullopt, torch_platform(input.facts), python)
        .has_value();
}

constexpr int furthest_minor = 30;

/// The nearest Python 3.x, in steps of `step`, for which a release has wheels with code for a GPU.
std::optional<Version> nearest_python(const RuleInput& input, const Version& capability,
                                      const Version& python, int step) {
    for (int minor = python.minor() + step; minor >= 0 && minor <= furthest_minor; minor += step) {
        const Version candidate({3, minor});
        if (has_wheel(input, capability, candidate)) {
            return candidate;
        }
    }
    return std::nullopt;
}

/// A torch that uses this machine's GPU is there already, wherever it came from.
bool has_working_torch(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    const bool gpu_build = (python.torch_cuda && *python.torch_cuda != "none") ||
                           (python.torch_hip && *python.torch_hip != "none");
    return gpu_build && check_wheel_code(input.facts, input.tables).kind != WheelCheck::Kind::gap;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (!python.version && python.version.why() == Missing::absent) {
        return not_applicable("no Python was found");
    }
    const std::optional<Version> version = python.version ? Version::parse(*python.version) : std::nullopt;
    if (!version) {
        return unknown({"python.version"});
    }
    if (torch_platform(input.facts).empty()) {
        return unknown({"os.architecture"});
    }
    if (has_working_torch(input)) {
        return clear();
    }
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    const auto gpu = std::ranges::find_if(gpus, [](const Gpu& one) {
        return one.vendor == "nvidia" && one.capable && one.compute_capability.has_value();
    });
    if (gpu == gpus.end()) {
        return unknown({"cuda.devices"});
    }
    const Version& capability = *gpu->compute_capability;
    if (has_wheel(input, capability, *version)) {
        return python.torch_version ? clear() : not_applicable("no PyTorch; this Python could have one");
    }
    const std::optional<Version> older = nearest_python(input, capability, *version, -1);
    const std::optional<Version> newer = nearest_python(input, capability, *version, 1);
    if (!older && !newer) {
        return clear();  // no published wheel for this GPU at all is another finding
    }
    Finding finding;
    finding.subject = "Python " + *python.version;
    finding.variant = older ? "" : "old";
    finding.args = {{"version", *python.version}, {"gpu", gpu->name}};
    finding.args["nearest"] = older ? older->text() : newer->text();
    finding.evidence = {evidence_of(python.version)};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::python_version_has_no_wheel
