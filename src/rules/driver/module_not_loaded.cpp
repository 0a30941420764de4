#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::module_not_loaded {

namespace {

constexpr std::size_t shown_messages = 2;

// "modprobe.blacklist=nvidia", "module_blacklist=nvidia,nvidia_drm", "rd.driver.blacklist=nvidia"
bool blacklisted_at_boot(const Known<std::string>& command_line) {
    if (!command_line) {
        return false;
    }
    for (const std::string_view word : words_of(*command_line)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || !contains(word.substr(0, equals), "blacklist")) {
            continue;
        }
        for (const std::string_view name : split(word.substr(equals + 1), ',')) {
            if (name == "nvidia") {
                return true;
            }
        }
    }
    return false;
}

// What the module said the last time somebody loaded it.
void add_messages(Finding& finding, const KernelLogFacts& log) {
    if (!log.messages) {
        return;
    }
    std::vector<Evidence> lines;
    for (const KernelLogFacts::Message& message : *log.messages) {
        if (message.kind.is("nvrm") && message.text) {
            lines.push_back(evidence_of(message.text, "log"));
        }
    }
    const std::size_t first = lines.size() - std::min(lines.size(), shown_messages);
    finding.evidence.insert(finding.evidence.end(), lines.begin() + static_cast<std::ptrdiff_t>(first),
                            lines.end());
}

// A second, integrated adapter: a laptop, on which a profile may keep the NVIDIA card off.
bool is_hybrid(const RuleInput& input) {
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    return std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) {
        return gpu.vendor == "intel" || (gpu.vendor == "amd" && gpu.integrated);
    });
}

Finding finding_for(const RuleInput& input, const Known<bool>& loaded) {
    const Facts& facts = input.facts;
    Finding finding;
    finding.args["hybrid"] = is_hybrid(input) ? "true" : "false";
    finding.subject = "nvidia.ko";
    finding.args["kernel"] = facts.kernel.release ? *facts.kernel.release : "this kernel";
    finding.args["blacklisted"] = "false";
    const Source& available = facts.modules.nvidia_available.source();
    finding.evidence = {{available.origin, 0, facts.modules.nvidia_available->front(), "available"},
                        evidence_of(loaded, "not-loaded")};
    if (blacklisted_at_boot(facts.kernel.command_line)) {
        finding.variant = "blacklisted";
        finding.args["blacklisted"] = "true";
        finding.evidence.push_back(evidence_of(facts.kernel.command_line, "blacklist"));
    }
    add_messages(finding, facts.kernel_log);
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    if (*loaded) {
        return clear();
    }
    if (surely_empty(facts.modules.nvidia_available)) {
        return not_applicable("there is no NVIDIA module for the running kernel");
    }
    if (!facts.modules.nvidia_available) {
        return unknown({"modules.nvidia_available"});
    }
    return fired(finding_for(input, loaded));
}

}  // namespace whygpu::rules::driver::module_not_loaded
