#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// A GPU protects itself: near its highest working temperature the driver lowers the clocks a little (software
// slow-down), some degrees above the hardware halves them, and some more and the card switches off. Which
// temperatures these are differs from card to card, so the card's own words count before any number of ours.

namespace whygpu::rules::hardware::thermal_throttling {

namespace {

constexpr std::int64_t hot_c = 85;              // where to begin looking at fans and dust
constexpr std::int64_t least_threshold_c = 70;  // smaller ones are margins, not temperatures

bool has_reason(const NvmlFacts::Device& device, std::string_view reason) {
    return device.clock_reasons && std::find(device.clock_reasons->begin(), device.clock_reasons->end(),
                                             reason) != device.clock_reasons->end();
}

// The driver says itself that heat lowers the clocks, or the card is past its own threshold.
std::string variant_of(const NvmlFacts::Device& device) {
    const bool past_limit = device.temperature_c && device.slowdown_temperature_c &&
                            *device.slowdown_temperature_c >= least_threshold_c &&
                            *device.temperature_c >= *device.slowdown_temperature_c;
    if (has_reason(device, "hw-thermal") || past_limit) {
        return "hardware";
    }
    if (has_reason(device, "sw-thermal")) {
        return "throttled";
    }
    return device.temperature_c && *device.temperature_c >= hot_c ? "hot" : "";
}

Finding finding_for(const NvmlFacts::Device& device, const std::string& variant) {
    Finding finding;
    finding.subject = device.pci_address ? normalised_pci_address(*device.pci_address) : "GPU";
    finding.variant = variant == "throttled" ? "" : variant;
    finding.args["gpu"] = device.name ? *device.name : "GPU";
    finding.args["celsius"] = device.temperature_c ? std::to_string(*device.temperature_c) : "?";
    if (variant == "hot") {
        finding.softened = Severity::note;
    } else if (device.clock_reasons && !device.clock_reasons->empty()) {
        finding.evidence.push_back(evidence_of(device.clock_reasons, "reasons"));
    }
    if (device.temperature_c) {
        finding.evidence.push_back(evidence_of(device.temperature_c, "now"));
    }
    if (device.slowdown_temperature_c && *device.slowdown_temperature_c >= least_threshold_c) {
        finding.evidence.push_back(evidence_of(device.slowdown_temperature_c, "limit"));
    }
    if (device.sm_clock_mhz && variant != "hot") {
        finding.evidence.push_back(evidence_of(device.sm_clock_mhz, "clock"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (!input.facts.nvml.devices) {
        return driver_is_silent(input.facts) ? not_applicable("the driver cannot be asked")
                                             : unknown({"nvml.devices"});
    }
    std::vector<Finding> findings;
    for (const NvmlFacts::Device& device : *input.facts.nvml.devices) {
        const std::string variant = variant_of(device);
        if (!variant.empty()) {
            findings.push_back(finding_for(device, variant));
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::thermal_throttling
