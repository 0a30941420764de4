#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_health.h"
#include "units/registry.h"

namespace whygpu::rules::driver::confidential_computing_not_ready {

namespace {

constexpr std::int64_t not_ready = 802;  // CUDA_ERROR_SYSTEM_NOT_READY

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    // CUDA has a code of its own for it, 802, which fabric managers share.
    const bool refused = facts.cuda.init_code.is(not_ready) || facts.cuda.context_code.is(not_ready);
    if ((facts.cuda.init_code && !refused) || facts.nvml.confidential.is(false)) {
        return clear();
    }
    if (driver_is_silent(facts)) {
        return not_applicable("the driver cannot be asked");
    }
    if (!facts.nvml.confidential) {
        const bool without = facts.nvml.confidential.why() == Missing::unsupported ||
                             facts.nvml.confidential.why() == Missing::absent;
        return without ? not_applicable("there is no confidential computing")
                       : unknown({"nvml.confidential"});
    }
    if (!facts.nvml.confidential_ready) {
        return unknown({"nvml.confidential_ready"});
    }
    if (*facts.nvml.confidential_ready) {
        return clear();
    }
    Finding finding;
    finding.subject = "NVIDIA driver";
    finding.evidence = {evidence_of(facts.nvml.confidential, "on"),
                        evidence_of(facts.nvml.confidential_ready, "not-ready")};
    if (facts.cuda.init_code && !facts.cuda.init_code.is(0)) {
        finding.evidence.push_back(evidence_of(facts.cuda.init_code, "cuda"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::confidential_computing_not_ready
