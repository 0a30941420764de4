#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::exclusive_compute_mode {

namespace {

constexpr std::int64_t unavailable = 46;  // CUDA_ERROR_DEVICE_UNAVAILABLE

bool cuda_was_refused(const CudaFacts& cuda) {
    return cuda.init_code.is(unavailable) || cuda.context_code.is(unavailable);
}

Finding finding_for(const NvmlFacts::Device& device, const Facts& facts) {
    const bool prohibited = *device.compute_mode == "prohibited";
    Finding finding;
    finding.subject = device.pci_address ? normalised_pci_address(*device.pci_address) : "GPU";
    finding.variant = prohibited ? "prohibited" : cuda_was_refused(facts.cuda) ? "busy" : "";
    finding.args = {{"gpu", device.name ? *device.name : "GPU"}, {"address", finding.subject}};
    if (finding.variant.empty()) {
        finding.softened = Severity::note;
    }
    finding.evidence = {evidence_of(device.compute_mode, "mode")};
    if (finding.variant == "busy") {
        const Known<std::int64_t>& code =
            facts.cuda.context_code.is(unavailable) ? facts.cuda.context_code : facts.cuda.init_code;
        finding.evidence.push_back(evidence_of(code, "cuda"));
    }
    if (device.process_count && *device.process_count > 0) {
        finding.evidence.push_back(evidence_of(device.process_count, "processes"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (!facts.nvml.devices) {
        if (facts.cuda.kernel_code.is(0)) {
            return clear();
        }
        const bool dead = driver_is_silent(facts);
        return dead ? not_applicable("the driver cannot be asked") : unknown({"nvml.devices"});
    }
    std::vector<Finding> findings;
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (device.compute_mode && *device.compute_mode != "default") {
            findings.push_back(finding_for(device, facts));
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::exclusive_compute_mode
