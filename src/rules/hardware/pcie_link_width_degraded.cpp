#include <algorithm>
#include <map>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "knowledge/nvidia.h"
#include "units/registry.h"

// Two things change on a healthy PCIe link and only one is a fault. The speed falls when the card idles and
// rises under load: it says nothing here. The number of lanes is settled when the machine starts and
// should be what card and slot can both do; less means bad contact, a riser, or lanes given to another slot.

namespace whygpu::rules::hardware::pcie_link_width_degraded {

namespace {

constexpr std::int64_t shared_slot_lanes = 8;  // what a ×16 slot keeps when it shares with its neighbour

struct Link {
    Gpu gpu;
    Known<std::int64_t> now;
    Known<std::int64_t> card;  ///< lanes of the card
    Known<std::int64_t> slot;  ///< lanes of the port above it
};

bool is_laptop(const Gpu& gpu, const Knowledge& tables) {
    const std::optional<Card> card = card_by_name(tables, gpu.name);
    return (card && card->laptop) || contains(gpu.name, "Laptop") || contains(gpu.name, "Mobile");
}

const NvmlFacts::Device* nvml_device(const Facts& facts, const std::string& address) {
    if (!facts.nvml.devices) {
        return nullptr;
    }
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (device.pci_address && normalised_pci_address(*device.pci_address) == address) {
            return &device;
        }
    }
    return nullptr;
}

// What the driver says counts before what the bus says, for the pair of values.
Link link_of(const Gpu& gpu, const RuleInput& input) {
    Link link{gpu, {}, {}, {}};
    if (gpu.pci_index >= 0) {
        const auto index = static_cast<std::size_t>(gpu.pci_index);
        const PciFacts::Device& device = input.facts.pci.gpus->at(index);
        link.now = device.link_width;
        link.card = device.link_width_max;
        link.slot = device.slot_width_max;
    }
    const NvmlFacts::Device* device = nvml_device(input.facts, gpu.address);
    if (device != nullptr && device->link_width && device->link_width_max) {
        link.now = device->link_width;
        link.card = device->link_width_max;
    }
    const std::optional<Card> card = card_by_name(input.tables, gpu.name);
    if (card && card->pcie_width && link.card && *link.card > *card->pcie_width) {
        link.card = Known<std::int64_t>(*card->pcie_width, link.card.source());
    }
    return link;
}

std::int64_t possible_lanes(const Link& link) {
    return std::min(*link.card, *link.slot);
}

// Two cards at ×8 in ×16 slots share sixteen lanes, which is how such boards are built.
bool shares_lanes(const Link& link, const std::vector<Link>& narrow) {
    if (*link.now != shared_slot_lanes) {
        return false;
    }
    return std::count_if(narrow.begin(), narrow.end(),
                         [](const Link& other) { return *other.now == shared_slot_lanes; }) > 1;
}

Finding finding_for(const Link& link) {
    Finding finding;
    finding.subject = link.gpu.address;
    finding.confidence = *link.now >= shared_slot_lanes ? Confidence::possible : Confidence::likely;
    finding.args = {{"gpu", link.gpu.name},
                    {"address", link.gpu.address},
                    {"lanes", std::to_string(*link.now)},
                    {"possible", std::to_string(possible_lanes(link))}};
    finding.evidence = {evidence_of(link.now, "now"), evidence_of(link.card, "card"),
                        evidence_of(link.slot, "slot")};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    std::vector<Link> narrow;
    bool undecided = false;
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        const bool excused = !gpu.capable || gpu.integrated || is_laptop(gpu, input.tables);
        const Link link = link_of(gpu, input);
        const bool without_link = link.now.why() == Missing::unsupported && !link.now;
        if (excused || without_link) {
            continue;
        }
        if (!link.now || !link.card) {
            undecided = true;
            continue;
        }
        if (*link.now >= *link.card) {
            continue;
        }
        // Fewer lanes than the card has are normal in a slot that has no more.
        if (!link.slot) {
            undecided = true;
            continue;
        }
        if (*link.now < possible_lanes(link)) {
            narrow.push_back(link);
        }
    }
    std::vector<Finding> findings;
    for (const Link& link : narrow) {
        if (!shares_lanes(link, narrow)) {
            findings.push_back(finding_for(link));
        }
    }
    if (findings.empty() && undecided) {
        return unknown({"pci.gpus"});
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::hardware::pcie_link_width_degraded
