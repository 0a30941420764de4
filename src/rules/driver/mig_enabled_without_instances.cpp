#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::mig_enabled_without_instances {

namespace {

constexpr std::int64_t no_device = 100;  // CUDA_ERROR_NO_DEVICE

// CUDA offers nothing to this process. A variable that hides the devices does the same and has its own rule.
bool cuda_sees_none(const CudaFacts& cuda) {
    return cuda.init_code.is(no_device) || surely_some(cuda.devices) == (cuda.devices.known() ? false : true);
}

bool is_hidden_by_variable(const EnvironmentFacts& environment) {
    return environment.variables &&
           std::any_of(environment.variables->begin(), environment.variables->end(),
                       [](const auto& variable) { return variable.name.is("CUDA_VISIBLE_DEVICES"); });
}

Finding finding_for(const NvmlFacts::Device& device, const Facts& facts, bool counted) {
    Finding finding;
    finding.subject = device.pci_address ? normalised_pci_address(*device.pci_address) : "GPU";
    const bool container = facts.container.inside.is(true);
    finding.variant = container ? "container" : "";
    finding.confidence = counted && !container ? Confidence::certain : Confidence::likely;
    finding.args = {{"gpu", device.name ? *device.name : "GPU"},
                    {"address", finding.subject},
                    {"where", container ? "container" : "host"}};
    finding.evidence = {evidence_of(device.mig_mode, "mode")};
    if (counted) {
        finding.evidence.push_back(evidence_of(device.mig_instances, "none"));
    }
    if (facts.cuda.init_code && !facts.cuda.init_code.is(0)) {
        finding.evidence.push_back(evidence_of(facts.cuda.init_code, "cuda"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (!facts.nvml.devices) {
        if (surely_some(facts.cuda.devices)) {
            return clear();
        }
        const bool dead = driver_is_silent(facts);
        return dead ? not_applicable("the driver cannot be asked") : unknown({"nvml.devices"});
    }
    std::vector<Finding> findings;
    bool undecided = false;
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (!device.mig_mode.is("enabled")) {
            continue;
        }
        const bool counted = device.mig_instances.is(0);
        const bool guessed =
            !device.mig_instances && cuda_sees_none(facts.cuda) && !is_hidden_by_variable(facts.environment);
        if (counted || guessed) {
            findings.push_back(finding_for(device, facts, counted));
        } else if (!device.mig_instances && !facts.cuda.devices) {
            undecided = true;
        }
    }
    return findings.empty() && undecided ? unknown({"nvml.devices"}) : fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::mig_enabled_without_instances
