#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::egpu_link_unstable {

namespace {

std::vector<const KernelMessage*> link_messages(const Facts& facts, const std::string& address) {
    std::vector<const KernelMessage*> found;
    for (const KernelMessage& message : *facts.kernel_log.messages) {
        const std::string short_address = address.substr(0, address.find('.'));
        if (message.kind.is("pcie") && message.text && contains(*message.text, short_address)) {
            found.push_back(&message);
        }
    }
    const std::vector<const KernelMessage*> fallen = xid_messages(facts, {79}, address);
    found.insert(found.end(), fallen.begin(), fallen.end());
    return found;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Finding> findings;
    bool external = false;
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        if (gpu.pci_index < 0) {
            continue;
        }
        const PciFacts::Device& device = facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index));
        if (!device.removable.is("removable")) {
            continue;
        }
        external = true;
        if (!facts.kernel_log.messages) {
            continue;
        }
        const std::vector<const KernelMessage*> messages = link_messages(facts, gpu.address);
        if (messages.empty()) {
            continue;
        }
        Finding finding;
        finding.subject = gpu.address;
        finding.confidence = Confidence::likely;
        finding.args = {{"gpu", gpu.name}, {"address", gpu.address}};
        finding.evidence = {evidence_of(device.removable, "external"),
                            evidence_of(messages.front()->text, "log")};
        findings.push_back(std::move(finding));
    }
    if (!external) {
        return not_applicable("no GPU is in an external enclosure");
    }
    return facts.kernel_log.messages ? fired(std::move(findings)) : unknown({"kernel_log.messages"});
}

}  // namespace whygpu::rules::hardware::egpu_link_unstable
