#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::gpu_not_passed_into_vm {

namespace {

bool toolchain_alone(const Facts& facts) {
    return driver_packages(facts).empty();
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    // The packages are asked for only where there is a card: then the module's files have to tell.
    if (!facts.nvidia.packages && !facts.modules.nvidia_available &&
        facts.modules.nvidia_available.why() != Missing::absent) {
        return unknown({"nvidia.packages"});
    }
    if (toolchain_alone(facts) && !nvidia_module_loaded(facts).is(true) &&
        !surely_some(facts.modules.nvidia_available)) {
        return clear();
    }
    Finding finding;
    finding.subject = "PCI bus";
    finding.confidence = Confidence::possible;
    finding.args["hypervisor"] = *facts.os.hypervisor;
    const Source& bus = facts.pci.gpus.source();
    finding.evidence = {evidence_of(facts.os.hypervisor, "vm"), {bus.origin, 0, "no NVIDIA device", "bus"}};
    const std::vector<std::string> packages = driver_packages(facts);
    if (!packages.empty()) {
        finding.evidence.push_back({facts.nvidia.packages.source().origin, 0, packages.front(), "package"});
    } else if (facts.modules.nvidia_available && !facts.modules.nvidia_available->empty()) {
        finding.evidence.push_back({facts.modules.nvidia_available.source().origin, 0,
                                    facts.modules.nvidia_available->front(), "package"});
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::hardware::gpu_not_passed_into_vm
