#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::gpu_not_on_bus {

namespace {

// Addresses that the driver spoke of since the machine started and the bus does not list any more.
const KernelMessage* seen_before(const Facts& facts) {
    if (!facts.kernel_log.messages) {
        return nullptr;
    }
    for (const KernelMessage& message : *facts.kernel_log.messages) {
        const bool ours = message.kind.is("xid") || message.kind.is("nvrm");
        const bool listed =
            message.pci_address &&
            std::any_of(facts.pci.gpus->begin(), facts.pci.gpus->end(), [&](const auto& device) {
                return device.address && same_device(*device.address, *message.pci_address);
            });
        if (ours && message.pci_address && !listed && message.text) {
            return &message;
        }
    }
    return nullptr;
}

const KernelMessage* searched_in_vain(const Facts& facts) {
    const std::vector<const KernelMessage*> messages = driver_messages(facts, "No NVIDIA GPU found", "");
    return messages.empty() ? nullptr : messages.back();
}

bool profile_takes_it_off(const ModuleFacts& modules) {
    return surely_some(modules.nvidia_blocked_by) || modules.prime_profile.is("off");
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (const KernelMessage* message = seen_before(facts)) {
        Finding finding;
        finding.subject = *message->pci_address;
        finding.variant = "gone";
        finding.args = {{"address", *message->pci_address}};
        finding.evidence = {evidence_of(message->text, "log"),
                            {facts.pci.gpus.source().origin, 0, "no device " + *message->pci_address, "bus"}};
        return fired(std::move(finding));
    }
    const bool nvidia_listed = std::any_of(facts.pci.gpus->begin(), facts.pci.gpus->end(),
                                           [](const auto& device) { return device.vendor_id.is("10de"); });
    if (nvidia_listed) {
        return clear();
    }
    const std::vector<std::string> packages = driver_packages(facts);
    const KernelMessage* in_vain = searched_in_vain(facts);
    if (profile_takes_it_off(facts.modules)) {
        return not_applicable("a graphics profile keeps the card off");
    }
    const bool module_there = surely_some(facts.modules.nvidia_available);
    if (packages.empty() && !module_there && in_vain == nullptr) {
        const bool nothing = surely_empty(facts.nvidia.packages) || facts.nvidia.packages.known() ||
                             surely_empty(facts.modules.nvidia_available);
        return nothing ? clear() : unknown({"nvidia.packages"});
    }
    // One image for machines with and without a GPU is common: the packages alone prove nothing.
    Finding finding;
    finding.subject = "PCI bus";
    finding.confidence = Confidence::possible;
    finding.softened = Severity::note;
    if (!packages.empty()) {
        finding.evidence.push_back({facts.nvidia.packages.source().origin, 0, packages.front(), "package"});
    }
    if (packages.empty() && module_there) {
        const Source& modules = facts.modules.nvidia_available.source();
        finding.evidence.push_back({modules.origin, 0, facts.modules.nvidia_available->front(), "package"});
    }
    if (in_vain != nullptr) {
        finding.evidence.push_back(evidence_of(in_vain->text, "in-vain"));
    }
    finding.evidence.push_back({facts.pci.gpus.source().origin, 0, "no NVIDIA device", "bus"});
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::hardware::gpu_not_on_bus
