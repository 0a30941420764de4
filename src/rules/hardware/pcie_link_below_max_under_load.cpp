#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "knowledge/nvidia.h"
#include "units/registry.h"

// A PCIe link that idles runs at its lowest speed to save power, which is healthy and looks alarming. Only a
// card that is at work tells what the link can do; nothing is said of the others.

namespace whygpu::rules::hardware::pcie_link_below_max_under_load {

namespace {

constexpr std::int64_t busy_percent = 80;

// The card works hard right now and its clock shows it: then the link has had time to speed up.
bool is_under_load(const NvmlFacts::Device& device) {
    return device.utilisation_percent && *device.utilisation_percent >= busy_percent && device.sm_clock_mhz &&
           device.sm_clock_max_mhz && 2 * *device.sm_clock_mhz > *device.sm_clock_max_mhz;
}

Finding finding_for(const NvmlFacts::Device& device) {
    Finding finding;
    finding.subject = device.pci_address ? normalised_pci_address(*device.pci_address) : "GPU";
    finding.confidence = Confidence::likely;
    finding.args = {{"gpu", device.name ? *device.name : "GPU"},
                    {"now", std::to_string(*device.link_generation)},
                    {"possible", std::to_string(*device.link_generation_max)}};
    finding.next_test =
        "nvidia-smi --query-gpu=utilization.gpu,pcie.link.gen.current,pcie.link.gen.max --format=csv -l 1";
    finding.evidence = {evidence_of(device.link_generation, "now"),
                        evidence_of(device.link_generation_max, "possible"),
                        evidence_of(device.utilisation_percent, "load")};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (!input.facts.nvml.devices) {
        return driver_is_silent(input.facts) ? not_applicable("the driver cannot be asked")
                                             : unknown({"nvml.devices"});
    }
    std::vector<Finding> findings;
    bool undecided = false;
    for (const NvmlFacts::Device& device : *input.facts.nvml.devices) {
        if (!is_under_load(device)) {
            continue;
        }
        if (!device.link_generation || !device.link_generation_max) {
            const bool no_link = device.link_generation.why() == Missing::unsupported;
            undecided = undecided || !no_link;
        } else if (*device.link_generation < *device.link_generation_max) {
            findings.push_back(finding_for(device));
        }
    }
    return findings.empty() && undecided ? unknown({"nvml.devices"}) : fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::pcie_link_below_max_under_load
