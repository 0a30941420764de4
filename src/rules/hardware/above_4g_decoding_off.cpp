#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// The CPU reaches the memory of a card through windows in its address space. The largest of them has up to
// the size of the card's memory and finds no place below 4 GiB; firmware that may not go above leaves it
// without one.

namespace whygpu::rules::hardware::above_4g_decoding_off {

namespace {

// "NVRM: BAR1 is 0M @ 0x0 (PCI:0000:01:00.0)" follows the first line and names the card.
constexpr std::string_view invalid_region = "PCI I/O region assigned to your NVIDIA device is invalid";

void add_room_lines(Finding& finding, const Facts& facts, const std::string& address) {
    for (const KernelMessage& message : *facts.kernel_log.messages) {
        const bool ours = message.pci_address && same_device(*message.pci_address, address);
        if (message.kind.is("pci-bar") && ours && message.text) {
            finding.evidence.push_back(evidence_of(message.text, "room"));
            return;
        }
    }
}

const KernelMessage* region_line(const Facts& facts, const std::string& address) {
    for (const KernelMessage* message : driver_messages(facts, "NVRM: BAR", address)) {
        if (message->pci_address && contains(*message->text, " is ")) {
            return message;
        }
    }
    return nullptr;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (all_answer(facts, input.tables)) {
        return clear();
    }
    if (!facts.kernel_log.messages) {
        const bool dead = driver_is_silent(facts);
        return dead ? not_applicable("the driver cannot be asked") : unknown({"kernel_log.messages"});
    }
    const std::vector<const KernelMessage*> refusals = driver_messages(facts, invalid_region, "");
    std::vector<Finding> findings;
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        const KernelMessage* region = region_line(facts, gpu.address);
        if (refusals.empty() || region == nullptr || served_by_driver(gpu, facts)) {
            continue;
        }
        Finding finding;
        finding.subject = gpu.address;
        finding.args = {{"gpu", gpu.name}, {"address", gpu.address}};
        finding.evidence = {evidence_of(refusals.back()->text, "refusal"),
                            evidence_of(region->text, "region")};
        add_room_lines(finding, facts, gpu.address);
        findings.push_back(std::move(finding));
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::above_4g_decoding_off
