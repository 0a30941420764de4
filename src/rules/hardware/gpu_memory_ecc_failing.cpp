#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// Memory with ECC repairs single flipped bits and reports double ones. From Ampere on the card then replaces
// the row of memory by a spare one, before that the driver retires the page; both need a reset to take
// effect. When no spare row is left, or the repair cannot be recorded, the card is at its end.

namespace whygpu::rules::hardware::gpu_memory_ecc_failing {

namespace {

constexpr std::int64_t double_bit = 48, repair_recorded = 63, repair_failed = 64, contained = 94,
                       uncontained = 95;

// What is known of the memory of one card.
struct Memory {
    Gpu gpu;
    std::vector<const KernelMessage*> errors;
    std::vector<const KernelMessage*> recorded;
    std::vector<const KernelMessage*> failed;
    Known<std::int64_t> count;
    Known<bool> pending;
    Known<bool> exhausted;
};

Memory memory_of(const Gpu& gpu, const Facts& facts) {
    Memory memory{gpu,
                  xid_messages(facts, {double_bit, contained, uncontained}, gpu.address),
                  xid_messages(facts, {repair_recorded}, gpu.address),
                  xid_messages(facts, {repair_failed}, gpu.address),
                  {},
                  {},
                  {}};
    if (const NvmlFacts::Device* device = nvml_device(facts, gpu.address)) {
        memory.count = device->ecc_uncorrected;
        memory.pending = device->remap_pending;
        memory.exhausted = device->remap_failed;
    }
    return memory;
}

// Cards without ECC memory have neither counters nor spare rows: nothing to say.
bool is_without_ecc(const Memory& memory) {
    return !memory.count && memory.count.why() == Missing::unsupported;
}

std::string variant_of(const Memory& memory) {
    if (memory.exhausted.is(true) || !memory.failed.empty()) {
        return "failed";
    }
    const bool settled = memory.pending.is(false);
    if (memory.pending.is(true) || (!memory.recorded.empty() && !settled)) {
        return "pending";
    }
    const bool counted = memory.count && *memory.count > 0;
    return counted || !memory.errors.empty() ? "uncorrected" : "";
}

void add(std::vector<Evidence>& evidence, const std::vector<const KernelMessage*>& messages) {
    if (!messages.empty()) {
        evidence.push_back(evidence_of(messages.back()->text, "log"));
    }
}

Finding finding_for(const Memory& memory, const std::string& variant) {
    Finding finding;
    finding.subject = memory.gpu.address;
    finding.variant = variant == "uncorrected" ? "" : variant;
    finding.args = {{"gpu", memory.gpu.name}, {"address", memory.gpu.address}, {"state", variant}};
    if (variant == "pending") {
        finding.softened = Severity::warning;
    }
    add(finding.evidence, memory.errors);
    add(finding.evidence, memory.recorded);
    add(finding.evidence, memory.failed);
    if (memory.count && *memory.count > 0) {
        finding.evidence.push_back(evidence_of(memory.count, "count"));
    }
    if (memory.pending.is(true)) {
        finding.evidence.push_back(evidence_of(memory.pending, "pending"));
    }
    if (memory.exhausted.is(true)) {
        finding.evidence.push_back(evidence_of(memory.exhausted, "exhausted"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Finding> findings;
    bool undecided = false;
    // A container is given some of the cards that the bus shows.
    const bool given_some = facts.container.inside.is(true) && surely_some(facts.nvml.devices);
    const auto not_given = [&](const Gpu& gpu) { return given_some && !served_by_driver(gpu, facts); };
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        const Memory memory = memory_of(gpu, facts);
        const std::string variant = variant_of(memory);
        if (!variant.empty()) {
            findings.push_back(finding_for(memory, variant));
        } else if (!memory.count && !is_without_ecc(memory) && !not_given(gpu)) {
            undecided = true;
        }
    }
    if (!findings.empty() || !undecided) {
        return fired(std::move(findings));
    }
    if (driver_is_silent(facts)) {
        return not_applicable("the driver cannot be asked");
    }
    return facts.kernel_log.messages ? clear() : unknown({"nvml.devices"});
}

}  // namespace whygpu::rules::hardware::gpu_memory_ecc_failing
