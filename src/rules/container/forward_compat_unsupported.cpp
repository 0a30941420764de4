#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::container::forward_compat_unsupported {

namespace {

constexpr std::int64_t not_supported = 804;  // CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE

std::string first_gpu_name(const RuleInput& input) {
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        if (gpu.vendor == "nvidia" && gpu.capable) {
            return gpu.name;
        }
    }
    return "NVIDIA GPU";
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::int64_t>& code = facts.cuda.init_code;
    if (!code) {
        return code.why() == Missing::absent ? not_applicable("there is no driver library")
                                             : unknown({"cuda.init_code"});
    }
    if (!code.is(not_supported)) {
        return clear();
    }
    Finding finding;
    finding.subject = first_gpu_name(input);
    finding.args = {{"gpu", finding.subject}};
    finding.evidence = {evidence_of(code, "code")};
    if (facts.cuda.library) {
        finding.evidence.push_back(evidence_of(facts.cuda.library, "library"));
    }
    if (const Known<std::string> driver = running_driver_version(facts)) {
        finding.evidence.push_back(evidence_of(driver, "driver"));
    }
    if (facts.nvml.driver_cuda) {
        finding.args["cuda"] = *facts.nvml.driver_cuda;
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::forward_compat_unsupported
