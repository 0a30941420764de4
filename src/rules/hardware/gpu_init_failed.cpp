#include <algorithm>
#include <array>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// "No devices were found": the module runs, the bus lists the card, and the driver could not start it. The
// line "RmInitAdapter failed! (0x26:0x56:1474)" carries codes of the driver's sources; the lines before it
// say more.

namespace whygpu::rules::hardware::gpu_init_failed {

namespace {

constexpr std::size_t shown_messages = 4;
constexpr std::string_view failure = "RmInitAdapter failed";
constexpr std::string_view no_power = "power cables";

// What the driver said just before its first failure, and the failure itself.
std::vector<Evidence> story_of(const Facts& facts, const std::string& address) {
    std::vector<Evidence> lines;
    for (const KernelMessage* message : driver_messages(facts, "", address)) {
        lines.push_back(evidence_of(message->text, lines.empty() ? "log" : ""));
        if (lines.size() > shown_messages) {
            lines.erase(lines.begin());
            lines.front().note = "log";
        }
        if (message->text->find(failure) != std::string::npos) {
            break;
        }
    }
    return lines;
}

Finding finding_for(const Gpu& gpu, const Facts& facts) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name}, {"address", gpu.address}, {"cause", "unknown"}};
    finding.evidence = {evidence_of(seen_as(gpu, facts), "card")};
    return finding;
}

// A driver of the wrong flavour or branch fails in the same way: its own rules name the reason.
bool driver_refuses(const Gpu& gpu, const Facts& facts) {
    constexpr std::array<std::string_view, 4> reasons = {"open kernel modules", "not supported by open",
                                                         "Legacy drivers", "is not supported by the"};
    const bool flavour = (gpu.open_modules == "required" && facts.nvidia.kernel_flavour.is("proprietary")) ||
                         (gpu.open_modules == "no" && facts.nvidia.kernel_flavour.is("open"));
    return flavour || std::any_of(reasons.begin(), reasons.end(), [&](std::string_view reason) {
               return !driver_messages(facts, reason, gpu.address).empty();
           });
}

// The log is closed to us, but the driver runs, holds the card and does not list it.
bool is_held_and_unlisted(const Gpu& gpu, const Facts& facts) {
    return gpu.driver == "nvidia" && facts.nvml.init_code.is(0) && facts.nvml.devices &&
           facts.container.inside.is(false) && !served_by_driver(gpu, facts);
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Finding> findings;
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        if (served_by_driver(gpu, facts) || driver_refuses(gpu, facts)) {
            continue;
        }
        Finding finding = finding_for(gpu, facts);
        const bool power = !driver_messages(facts, no_power, gpu.address).empty();
        if (power || !driver_messages(facts, failure, gpu.address).empty()) {
            finding.variant = power ? "power" : "";
            finding.args["cause"] = power ? "power" : "unknown";
            const std::vector<Evidence> story = story_of(facts, gpu.address);
            finding.evidence.insert(finding.evidence.end(), story.begin(), story.end());
            findings.push_back(std::move(finding));
        } else if (!facts.kernel_log.messages && is_held_and_unlisted(gpu, facts)) {
            finding.variant = "unlisted";
            finding.confidence = Confidence::likely;
            finding.next_test = "sudo dmesg | grep NVRM";
            finding.evidence.push_back(evidence_of(facts.nvml.devices, "unlisted"));
            findings.push_back(std::move(finding));
        }
    }
    if (!findings.empty()) {
        return fired(std::move(findings));
    }
    if (all_answer(facts, input.tables) || facts.kernel_log.messages) {
        return clear();
    }
    return driver_is_silent(facts) ? not_applicable("the driver cannot be asked")
                                   : unknown({"kernel_log.messages"});
}

}  // namespace whygpu::rules::hardware::gpu_init_failed
