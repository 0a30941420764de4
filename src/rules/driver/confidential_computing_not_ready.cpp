#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::confidential_computing_not_ready {

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.kernel_code.is(0) || facts.nvml.confidential.is(false)) {
        return clear();
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
