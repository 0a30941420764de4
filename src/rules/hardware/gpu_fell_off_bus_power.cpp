#include <algorithm>
#include <set>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::gpu_fell_off_bus_power {

namespace {

constexpr std::int64_t fell_off = 79;
constexpr std::int64_t no_auxiliary_power = 54;
constexpr double same_moment_s = 2.0;

// "[12345.678901] NVRM: …" → 12345.678901
std::optional<double> stamp_of(const KernelMessage& message) {
    const std::string_view text = *message.text;
    const std::size_t end = text.find(']');
    return text.starts_with('[') && end != std::string_view::npos
               ? parse_double(trimmed(text.substr(1, end - 1)))
               : std::nullopt;
}

// Another card that went within two seconds: what they share is the supply.
const KernelMessage* together_with(const KernelMessage& one, const std::vector<const KernelMessage*>& all) {
    const std::optional<double> at = stamp_of(one);
    for (const KernelMessage* other : all) {
        const std::optional<double> then = stamp_of(*other);
        const bool another = one.pci_address && other->pci_address && *one.pci_address != *other->pci_address;
        if (another && at && then && std::max(*at, *then) - std::min(*at, *then) <= same_moment_s) {
            return other;
        }
    }
    return nullptr;
}

// A power brake that shows on a card which is still there.
const NvmlFacts::Device* braked(const Facts& facts) {
    if (!facts.nvml.devices) {
        return nullptr;
    }
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (device.clock_reasons && std::find(device.clock_reasons->begin(), device.clock_reasons->end(),
                                              "hw-power-brake") != device.clock_reasons->end()) {
            return &device;
        }
    }
    return nullptr;
}

std::vector<Evidence> power_signs(const Facts& facts, const KernelMessage& fallen,
                                  const std::vector<const KernelMessage*>& all) {
    std::vector<Evidence> signs;
    const std::string address = *fallen.pci_address;
    for (const KernelMessage* message : xid_messages(facts, {no_auxiliary_power}, address)) {
        signs.push_back(evidence_of(message->text, "plug"));
    }
    for (const KernelMessage* message : driver_messages(facts, "power cables", address)) {
        signs.push_back(evidence_of(message->text, "plug"));
    }
    if (const KernelMessage* other = together_with(fallen, all)) {
        signs.push_back(evidence_of(other->text, "together"));
    }
    if (const NvmlFacts::Device* device = braked(facts)) {
        signs.push_back(evidence_of(device->clock_reasons, "brake"));
    }
    return signs;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const std::vector<const KernelMessage*> fallen = xid_messages(facts, {fell_off}, "");
    std::vector<Finding> findings;
    std::set<std::string> seen;
    for (const KernelMessage* message : fallen) {
        if (!message->pci_address || !seen.insert(*message->pci_address).second) {
            continue;
        }
        std::vector<Evidence> signs = power_signs(facts, *message, fallen);
        if (signs.empty()) {
            continue;
        }
        Finding finding;
        finding.subject = *message->pci_address;
        finding.confidence = Confidence::likely;
        finding.args = {{"address", *message->pci_address}};
        finding.evidence = {evidence_of(message->text, "log")};
        finding.evidence.insert(finding.evidence.end(), signs.begin(), signs.end());
        findings.push_back(std::move(finding));
    }
    const bool settled = !findings.empty() || facts.kernel_log.messages || all_answer(facts, input.tables);
    if (!settled && driver_is_silent(facts)) {
        return not_applicable("the driver cannot be asked");
    }
    return settled ? fired(std::move(findings)) : unknown({"kernel_log.messages"});
}

}  // namespace whygpu::rules::hardware::gpu_fell_off_bus_power
