#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

// CUDA manages its memory through a second kernel module, nvidia_uvm. When the machine wakes up, that module
// sometimes has lost what it kept on the card: every CUDA start then fails with the code for "unknown",
// while nvidia-smi, which does without it, sees the card in good health.

namespace whygpu::rules::driver::uvm_broken_after_suspend {

namespace {

constexpr std::int64_t cuda_unknown = 999;  // CUDA_ERROR_UNKNOWN

bool is_listed(const std::vector<std::string>& modules, const char* name) {
    return std::find(modules.begin(), modules.end(), name) != modules.end();
}

// Error 999 with a node that is not there or that this user may not open has that reason.
bool node_explains(const NodeFacts& nodes) {
    if (!nodes.nodes) {
        return false;
    }
    for (const NodeFacts::Node& node : *nodes.nodes) {
        if (node.path.is("/dev/nvidia-uvm")) {
            return node.usable.is(false);
        }
    }
    return true;
}

Finding finding_for(const Facts& facts) {
    const bool at_init = facts.cuda.init_code.is(cuda_unknown);
    const bool container = facts.container.inside.is(true);
    Finding finding;
    finding.subject = "nvidia_uvm";
    finding.confidence = container ? Confidence::possible : Confidence::likely;
    finding.args["where"] = container ? "container" : "host";
    finding.args["call"] = at_init ? "cuInit" : "cuCtxCreate";
    if (container) {
        finding.candidates = {"driver.uvm-broken-after-suspend", "container.cgroup-device-lost"};
    }
    finding.next_test = "sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm";
    finding.evidence = {evidence_of(at_init ? facts.cuda.init_code : facts.cuda.context_code, "cuda"),
                        evidence_of(facts.nvml.init_code, "nvml"),
                        {facts.modules.loaded.source().origin, 0, "nvidia_uvm", "uvm"}};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const CudaFacts& cuda = facts.cuda;
    if (!cuda.init_code) {
        if (!cuda.library && cuda.library.why() == Missing::absent) {
            return not_applicable("no CUDA driver library");
        }
        const bool dead = nvidia_module_loaded(facts).is(false);
        return dead ? not_applicable("the NVIDIA module is not loaded") : unknown({"cuda.init_code"});
    }
    if (!cuda.init_code.is(cuda_unknown) && !cuda.context_code.is(cuda_unknown)) {
        return clear();
    }
    if (!facts.nvml.init_code) {
        return unknown({"nvml.init_code"});
    }
    if (!facts.nvml.init_code.is(0)) {
        return not_applicable("the driver itself does not answer");
    }
    if (!facts.modules.loaded) {
        return unknown({"modules.loaded"});
    }
    if (!is_listed(*facts.modules.loaded, "nvidia_uvm")) {
        return not_applicable("nvidia_uvm is not loaded");
    }
    if (node_explains(facts.nodes)) {
        return not_applicable("/dev/nvidia-uvm is missing or closed to this user");
    }
    return fired(finding_for(facts));
}

}  // namespace whygpu::rules::driver::uvm_broken_after_suspend
