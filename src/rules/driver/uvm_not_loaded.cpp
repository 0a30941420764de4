#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// The libraries load nvidia_uvm themselves when they first need it, through the setuid helper
// nvidia-modprobe. So a module that is not loaded is normal on a machine where nobody has used CUDA yet; it
// is a fault once CUDA has failed.

namespace whygpu::rules::driver::uvm_not_loaded {

namespace {

// CUDA_ERROR_UNKNOWN, CUDA_ERROR_OPERATING_SYSTEM: what CUDA says when it cannot open nvidia-uvm.
bool comes_from_missing_uvm(std::int64_t code) {
    return code == 999 || code == 304;
}

bool is_listed(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    const Known<bool> module = nvidia_module_loaded(facts);
    if (module.is(false)) {
        return not_applicable("the NVIDIA module is not loaded");
    }
    if (!facts.modules.loaded) {
        return unknown({"modules.loaded"});
    }
    if (is_listed(*facts.modules.loaded, "nvidia_uvm")) {
        return clear();
    }
    if (!facts.cuda.init_code) {
        return unknown({"cuda.init_code"});
    }
    if (!comes_from_missing_uvm(*facts.cuda.init_code)) {
        return not_applicable("CUDA fails for another reason");
    }
    Finding finding;
    finding.subject = "nvidia_uvm";
    finding.args["where"] = facts.container.inside.is(true) ? "container" : "host";
    const Source& list = facts.modules.loaded.source();
    finding.evidence = {{list.origin, 0, "no line for nvidia_uvm", "not-loaded"},
                        evidence_of(facts.cuda.init_code, "cuda")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::uvm_not_loaded
