#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::smi_hangs {

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::string>& call = facts.nvml.failed_call;
    if (facts.nvml.devices && !call) {
        return clear();
    }
    const bool hung =
        facts.nvml.devices.why() == Missing::timed_out || facts.nvml.init_code.why() == Missing::timed_out;
    if (!hung || facts.nvml.devices) {
        if (nvidia_module_loaded(facts).is(false)) {
            return not_applicable("the NVIDIA module is not loaded");
        }
        const bool asked = facts.nvml.init_code.known() || facts.nvml.init_code.why() != Missing::not_asked;
        return asked ? clear() : unknown({"nvml.init_code"});
    }
    Finding finding;
    finding.subject = "NVML";
    finding.args["call"] = call ? *call : "nvmlInit";
    finding.evidence = {call ? evidence_of(call, "call")
                             : Evidence{"whygpu _ask nvml", 0, facts.nvml.devices.because(), "call"}};
    const std::vector<const KernelMessage*> messages = xid_messages(facts, {79, 119, 120, 62, 154}, "");
    if (!messages.empty()) {
        finding.evidence.push_back(evidence_of(messages.back()->text, "log"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::smi_hangs
