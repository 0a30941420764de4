#include <algorithm>
#include <set>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// A card falls off the bus when reads from it come back as all ones: its PCIe link is gone. The driver cannot
// tell why. The log names the card; where nobody may read it, NVML still says which device is lost.

namespace whygpu::rules::hardware::gpu_fell_off_bus {

namespace {

constexpr std::int64_t fell_off = 79;

std::vector<const KernelMessage*> signs_of(const Facts& facts) {
    std::vector<const KernelMessage*> signs = xid_messages(facts, {fell_off}, "");
    for (const KernelMessage* message : driver_messages(facts, "fallen off the bus", "")) {
        signs.push_back(message);
    }
    return signs;
}

// The card at an address, by its name where the bus still lists it.
std::string name_of_card(const RuleInput& input, const std::string& address) {
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        if (same_device(gpu.address, address)) {
            return gpu.name;
        }
    }
    return "GPU";
}

bool answers_again(const RuleInput& input, const std::string& address) {
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    return std::any_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) {
        return same_device(gpu.address, address) && answers(gpu, input.facts);
    });
}

Finding finding_for(const RuleInput& input, const std::string& address, Evidence evidence) {
    Finding finding;
    finding.subject = address;
    finding.args = {{"gpu", name_of_card(input, address)}, {"address", address}};
    finding.evidence.push_back(std::move(evidence));
    if (answers_again(input, address)) {
        finding.variant = "earlier";
        finding.softened = Severity::warning;
    }
    return finding;
}

// A device that NVML counts and cannot reach has no address there: it is the card that it does not list.
std::string lost_address(const RuleInput& input) {
    for (const Gpu& gpu : capable_nvidia_gpus(input.facts, input.tables)) {
        if (gpu.pci_index >= 0 && nvml_device(input.facts, gpu.address) == nullptr) {
            return gpu.address;
        }
    }
    return "NVIDIA GPU";
}

// Nothing in the log, or no log: only a driver that reads from every card proves that they are well.
Verdict undecided(const RuleInput& input) {
    if (all_answer(input.facts, input.tables)) {
        return clear();
    }
    if (driver_is_silent(input.facts)) {
        return not_applicable("the driver cannot be asked");
    }
    return input.facts.kernel_log.messages ? clear() : unknown({"kernel_log.messages"});
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Finding> findings;
    std::set<std::string> seen;
    for (const KernelMessage* message : signs_of(facts)) {
        const std::string address = message->pci_address ? *message->pci_address : "NVIDIA GPU";
        if (seen.insert(address).second) {
            findings.push_back(finding_for(input, address, evidence_of(message->text, "log")));
        }
    }
    if (findings.empty() && facts.nvml.devices) {
        for (const NvmlFacts::Device& device : *facts.nvml.devices) {
            if (device.lost.is(true)) {
                const std::string address =
                    device.pci_address ? normalised_pci_address(*device.pci_address) : lost_address(input);
                findings.push_back(finding_for(input, address, evidence_of(device.lost, "lost")));
                break;
            }
        }
    }
    return findings.empty() ? undecided(input) : fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::gpu_fell_off_bus
