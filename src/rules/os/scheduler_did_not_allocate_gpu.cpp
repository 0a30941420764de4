#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::os::scheduler_did_not_allocate_gpu {

namespace {

using Variable = EnvironmentFacts::Variable;

constexpr std::int64_t no_device = 100;  // CUDA_ERROR_NO_DEVICE

const Variable* variable(const EnvironmentFacts& environment, std::string_view name) {
    for (const Variable& one : *environment.variables) {
        if (one.name && one.value && *one.name == name) {
            return &one;
        }
    }
    return nullptr;
}

// Slurm tells a job its GPUs in one of these.
bool got_gpus(const EnvironmentFacts& environment) {
    return std::ranges::any_of(*environment.variables, [](const Variable& one) {
        return one.name && one.value && !one.value->empty() &&
               (one.name->starts_with("SLURM_GPUS") || *one.name == "SLURM_JOB_GPUS" ||
                *one.name == "SLURM_STEP_GPUS");
    });
}

bool any_capable(const RuleInput& input) {
    return std::ranges::any_of(gpus_of(input.facts, input.tables),
                               [](const Gpu& gpu) { return gpu.capable; });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Variable* job = variable(facts.environment, "SLURM_JOB_ID");
    if (job == nullptr) {
        return not_applicable("not in a job of Slurm");
    }
    // Some sites share GPUs without telling Slurm: what CUDA sees counts more than variables.
    const bool cuda_works = facts.cuda.devices && !facts.cuda.devices->empty();
    if (got_gpus(facts.environment) || cuda_works) {
        return clear();
    }
    const bool node_without = facts.pci.gpus && !any_capable(input);
    const bool kept_out = facts.cuda.init_code.is(no_device);
    if (!node_without && !kept_out) {
        return unknown({facts.pci.gpus ? "cuda.init_code" : "pci.gpus"});
    }
    Finding finding;
    finding.subject = "job " + *job->value;
    finding.variant = node_without ? "node" : "";
    finding.args = {{"job", *job->value}};
    finding.evidence = {evidence_of(job->value)};
    if (kept_out) {
        finding.evidence.push_back(evidence_of(facts.cuda.init_code, "no_device"));
    }
    finding.confidence = Confidence::likely;
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::os::scheduler_did_not_allocate_gpu
