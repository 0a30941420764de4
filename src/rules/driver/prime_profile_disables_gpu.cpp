#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// Tools for laptops with two GPUs save the battery by keeping the NVIDIA card off: they blacklist its modules
// or take the device off the bus when the kernel finds it. Their profile survives the installation of a
// driver.

namespace whygpu::rules::driver::prime_profile_disables_gpu {

namespace {

bool nvidia_on_bus(const PciFacts& pci) {
    return std::any_of(pci.gpus->begin(), pci.gpus->end(),
                       [](const auto& device) { return device.vendor_id.is("10de"); });
}

std::string tool_of(std::string_view file) {
    if (contains(file, "system76")) {
        return "system76-power";
    }
    if (contains(file, "supergfx")) {
        return "supergfxctl";
    }
    return contains(file, "50-remove-nvidia") || contains(file, "envycontrol") ? "envycontrol" : "prime";
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (loaded.is(true)) {
        return clear();
    }
    const bool off = facts.modules.prime_profile.is("off");
    const bool blocked = surely_some(facts.modules.nvidia_blocked_by);
    if (!off && surely_empty(facts.modules.nvidia_available)) {
        return not_applicable("there is no NVIDIA module that could be kept off");
    }
    if (!off && !blocked) {
        const bool known = facts.modules.nvidia_blocked_by.known() || !loaded;
        return known || !nvidia_on_bus(facts.pci) ? clear() : unknown({"modules.nvidia_blocked_by"});
    }
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    Finding finding;
    const bool hidden = !nvidia_on_bus(facts.pci);
    finding.subject = "nvidia.ko";
    finding.variant = hidden ? "off-bus" : "";
    finding.confidence = off || !hidden ? Confidence::certain : Confidence::likely;
    const std::string file = blocked ? facts.modules.nvidia_blocked_by->front() : "";
    finding.args["tool"] = off ? "prime" : tool_of(file);
    finding.args["file"] = file.substr(0, file.find(':'));
    if (off) {
        finding.evidence.push_back(evidence_of(facts.modules.prime_profile, "profile"));
    }
    if (blocked) {
        finding.evidence.push_back(
            {finding.args["file"], 0, file.substr(std::min(file.size(), file.find(':') + 2)), "blocked"});
    }
    finding.evidence.push_back(evidence_of(loaded, "not-loaded"));
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::prime_profile_disables_gpu
