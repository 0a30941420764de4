#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// The open kernel modules leave the work to the system processor of the card. Maxwell, Pascal and Volta have
// none: the open module loads, refuses them and leaves them without a driver.

namespace whygpu::rules::driver::open_kernel_module_unsupported_gpu {

namespace {

constexpr std::string_view refusal = "not supported by open";

// A package of the open flavour, "nvidia-driver-570-open=…"; not OpenCL's.
std::string open_package(const Facts& facts) {
    if (!facts.container.inside.is(false)) {
        return "";
    }
    for (const std::string& package : driver_packages(facts)) {
        const std::string name = package.substr(0, package.find('='));
        if (contains(name, "-open") && !contains(name, "opencl")) {
            return package;
        }
    }
    return "";
}

Finding finding_for(const Gpu& gpu, const Facts& facts) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name},
                    {"address", gpu.address},
                    {"architecture", gpu.architecture},
                    {"where", facts.container.inside.is(true) ? "container" : "host"}};
    finding.evidence = {evidence_of(seen_as(gpu, facts), "card")};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Finding> findings;
    bool undecided = false;
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        if (gpu.open_modules != "no" || served_by_driver(gpu, facts)) {
            continue;
        }
        Finding finding = finding_for(gpu, facts);
        const std::vector<const KernelMessage*> messages = driver_messages(facts, refusal, "");
        const std::string package = open_package(facts);
        if (facts.nvidia.kernel_flavour.is("open")) {
            finding.evidence.push_back(evidence_of(facts.nvidia.kernel_flavour, "flavour"));
        } else if (!messages.empty() && !facts.nvidia.kernel_flavour) {
            finding.evidence.push_back(evidence_of(messages.back()->text, "log"));
        } else if (!facts.nvidia.kernel_flavour && !package.empty()) {
            finding.confidence = Confidence::likely;
            finding.evidence.push_back({facts.nvidia.packages.source().origin, 0, package, "package"});
        } else {
            undecided = undecided || !(facts.nvidia.kernel_flavour || nvidia_module_loaded(facts).is(false));
            continue;
        }
        findings.push_back(std::move(finding));
    }
    return findings.empty() && undecided ? unknown({"nvidia.kernel_flavour"}) : fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::open_kernel_module_unsupported_gpu
