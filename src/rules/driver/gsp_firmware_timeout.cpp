#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// From Turing on a card has a processor of its own (GSP) that does most of the driver's work with firmware
// of the driver package. When it stops answering, every call into the driver waits for it, and nvidia-smi
// hangs.

namespace whygpu::rules::driver::gsp_firmware_timeout {

namespace {

constexpr std::int64_t rpc_timeout = 119, gsp_error = 120;

Finding finding_for(const Gpu& gpu, const KernelMessage& message, const Facts& facts) {
    Finding finding;
    const Known<std::string> driver = running_driver_version(facts);
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name},
                    {"address", gpu.address},
                    {"xid", std::to_string(*message.code)},
                    {"flavour", facts.nvidia.kernel_flavour ? *facts.nvidia.kernel_flavour : "unknown"}};
    finding.evidence = {evidence_of(message.text, "log")};
    if (driver) {
        finding.evidence.push_back(evidence_of(driver, "driver"));
    }
    if (answers(gpu, facts) && !facts.nvml.failed_call) {
        finding.variant = "earlier";
        finding.softened = Severity::warning;
    }
    return finding;
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
    for (const Gpu& gpu : capable_nvidia_gpus(facts, input.tables)) {
        const std::vector<const KernelMessage*> messages =
            xid_messages(facts, {rpc_timeout, gsp_error}, gpu.address);
        if (!messages.empty()) {
            findings.push_back(finding_for(gpu, *messages.front(), facts));
        }
    }
    return findings.empty() ? undecided(input) : fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::gsp_firmware_timeout
