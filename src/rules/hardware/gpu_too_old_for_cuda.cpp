#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "knowledge/nvidia.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::gpu_too_old_for_cuda {

namespace {

bool is_fermi(const Gpu& gpu) {
    return gpu.architecture == "Fermi";
}

// gpus_of calls an NVIDIA adapter incapable when its id is below every chip that the tables know. That
// needs an id: without one nothing is known of the card.
bool is_before_fermi(const Gpu& gpu, const Facts& facts) {
    if (gpu.capable || gpu.pci_index < 0) {
        return false;
    }
    const PciFacts::Device& device = facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index));
    return device.device_id && parse_hex(*device.device_id).value_or(0) > 0;
}

Finding finding_for(const Gpu& gpu, const RuleInput& input) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name}, {"address", gpu.address}, {"generation", "older"}};
    finding.evidence.push_back(evidence_of(seen_as(gpu, input.facts), "card"));
    if (!is_fermi(gpu)) {
        return finding;
    }
    const std::optional<Chip> chip = chip_by_name(input.tables, gpu.chip);
    const bool complete = gpu.compute_capability && gpu.last_driver_branch && chip && chip->last_cuda;
    if (!complete) {
        return finding;
    }
    finding.variant = "fermi";
    finding.args["generation"] = "fermi";
    finding.args["capability"] = gpu.compute_capability->text();
    finding.args["last_branch"] = std::to_string(*gpu.last_driver_branch);
    finding.args["last_cuda"] = chip->last_cuda->text();
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    std::vector<Finding> findings;
    bool unidentified = false;
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        if (gpu.vendor == "amd" && gpu.capable) {
            return clear();
        }
        if (gpu.vendor != "nvidia") {
            continue;
        }
        if (is_fermi(gpu) || is_before_fermi(gpu, input.facts)) {
            findings.push_back(finding_for(gpu, input));
            continue;
        }
        if (gpu.capable) {
            return clear();  // an old card beside a newer one is there for the screen
        }
        unidentified = true;
    }
    if (findings.empty() && unidentified) {
        return unknown({"pci.gpus"});
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::gpu_too_old_for_cuda
