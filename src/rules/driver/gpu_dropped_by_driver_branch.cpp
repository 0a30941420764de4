#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::gpu_dropped_by_driver_branch {

namespace {

// A card reserved for a virtual machine needs no driver here.
bool is_ours(const Gpu& gpu) {
    return gpu.driver != "vfio-pci" && gpu.driver != "pci-stub";
}

Finding finding_for(const Gpu& gpu, const Facts& facts, const Known<std::string>& driver) {
    Finding finding;
    const std::string last = std::to_string(*gpu.last_driver_branch);
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name},
                    {"address", gpu.address},
                    {"architecture", gpu.architecture},
                    {"driver", *driver},
                    {"last_branch", last}};
    finding.args["where"] = facts.container.inside.is(true) ? "container" : "host";
    finding.evidence = {evidence_of(seen_as(gpu, facts), "card"), evidence_of(driver, "driver")};
    if (facts.kernel_log.messages) {
        for (const KernelLogFacts::Message& message : *facts.kernel_log.messages) {
            // "NVRM: The NVIDIA … GPU … is supported through the NVIDIA 470.xx Legacy drivers."
            const bool says_so = message.kind.is("nvrm") && message.text && contains(*message.text, "Legacy");
            if (says_so) {
                finding.evidence.push_back(evidence_of(message.text, "log"));
                break;
            }
        }
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Gpu> legacy = capable_nvidia_gpus(facts, input.tables);
    std::erase_if(legacy, [&](const Gpu& gpu) {
        return !gpu.last_driver_branch || !is_ours(gpu) || served_by_driver(gpu, facts);
    });
    if (legacy.empty()) {
        return clear();
    }
    const Known<std::string> driver = installed_driver_version(facts);
    const std::optional<Version> version = driver ? Version::parse_prefix(*driver) : std::nullopt;
    if (!version) {
        const bool none = nvidia_module_loaded(facts).is(false) && !facts.nvidia.library_file &&
                          facts.nvidia.library_file.why() == Missing::absent;
        return none ? not_applicable("no NVIDIA driver is installed") : unknown({"nvidia.kernel_version"});
    }
    std::vector<Finding> findings;
    for (const Gpu& gpu : legacy) {
        if (version->major() > *gpu.last_driver_branch) {
            findings.push_back(finding_for(gpu, facts, driver));
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::gpu_dropped_by_driver_branch
