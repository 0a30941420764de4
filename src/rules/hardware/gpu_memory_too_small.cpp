#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::gpu_memory_too_small {

namespace {

// Cards report a little less than is printed on their box.
constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr double least_gib = 3.7;
constexpr double advised_gib = 7.4;

struct Largest {
    Known<std::int64_t> bytes;
    std::string gpu;
    std::string address;
};

template <class Devices, class Bytes>
void consider(const Known<Devices>& devices, Bytes bytes_of, Largest& largest) {
    if (!devices) {
        return;
    }
    for (const auto& device : *devices) {
        const Known<std::int64_t>& bytes = bytes_of(device);
        if (bytes && (!largest.bytes || *bytes > *largest.bytes)) {
            largest.bytes = bytes;
            largest.gpu = device.name ? *device.name : "GPU";
            largest.address = device.pci_address ? normalised_pci_address(*device.pci_address) : "";
        }
    }
}

// The best card of the machine counts.
Largest largest_memory(const Facts& facts) {
    Largest largest;
    consider(
        facts.nvml.devices, [](const NvmlFacts::Device& device) { return device.memory_total_bytes; },
        largest);
    if (!largest.bytes) {
        consider(
            facts.cuda.devices, [](const CudaFacts::Device& device) { return device.memory_bytes; }, largest);
    }
    return largest;
}

std::string gib_text(std::int64_t bytes) {
    const auto tenths = static_cast<std::int64_t>(static_cast<double>(bytes) / gib * 10.0 + 0.5);
    const std::string whole = std::to_string(tenths / 10);
    return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Largest largest = largest_memory(facts);
    if (!largest.bytes) {
        const bool dead = driver_is_silent(facts) || surely_empty(facts.nvml.devices);
        return dead ? not_applicable("the driver cannot be asked") : unknown({"nvml.devices"});
    }
    const double size = static_cast<double>(*largest.bytes) / gib;
    if (size >= advised_gib) {
        return clear();
    }
    Finding finding;
    finding.subject = largest.address.empty() ? largest.gpu : largest.address;
    finding.args = {{"gpu", largest.gpu}, {"memory", gib_text(*largest.bytes)}};
    finding.evidence = {evidence_of(largest.bytes, "memory")};
    if (size >= least_gib) {
        finding.variant = "modest";
        finding.softened = Severity::note;
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::hardware::gpu_memory_too_small
