#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::os::iommu_breaks_p2p {

namespace {

/// The cards that may talk to each other: capable ones of one maker, on the bus.
std::vector<const PciFacts::Device*> peers_of(const RuleInput& input) {
    std::vector<const PciFacts::Device*> peers;
    std::string vendor;
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        const bool counts = gpu.capable && !gpu.integrated && gpu.pci_index >= 0;
        if (!counts || (!vendor.empty() && gpu.vendor != vendor)) {
            continue;
        }
        vendor = gpu.vendor;
        peers.push_back(&input.facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index)));
    }
    return peers;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (!input.facts.pci.gpus) {
        return unknown({"pci.gpus"});
    }
    const std::vector<const PciFacts::Device*> peers = peers_of(input);
    if (peers.size() < 2) {
        return not_applicable("fewer than two GPUs that could exchange data");
    }
    if (input.facts.services.nvswitch_count && *input.facts.services.nvswitch_count > 0) {
        return not_applicable("the GPUs exchange data over NVSwitch");
    }
    for (const PciFacts::Device* device : peers) {
        const Known<std::string>& type = device->iommu_type;
        if (!type && type.why() != Missing::absent) {
            return unknown({"pci.gpus.iommu_type"});
        }
        if (!type || !type->starts_with("DMA")) {
            continue;  // no IOMMU, or addresses pass through it unchanged
        }
        Finding finding;
        finding.subject = *device->address;
        finding.args = {
            {"count", std::to_string(peers.size())}, {"address", *device->address}, {"type", *type}};
        finding.evidence = {evidence_of(type, "translated")};
        finding.confidence = Confidence::possible;
        return fired(std::move(finding));
    }
    return clear();
}

}  // namespace whygpu::rules::os::iommu_breaks_p2p
