#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_health.h"
#include "knowledge/knowledge.h"
#include "knowledge/nvidia.h"
#include "units/registry.h"

namespace whygpu::rules::driver::too_old_for_gpu {

namespace {

// The line before names the card, this one the release.
constexpr std::string_view not_in_release = "is not supported by the";

struct Support {
    std::optional<Chip> chip;
    int first_branch = 0;  ///< 0: not certain
};

Support support_of(const Gpu& gpu, const Knowledge& tables) {
    Support support{chip_by_name(tables, gpu.chip), 0};
    if (support.chip && support.chip->min_driver_branch && support.chip->min_driver_certain) {
        support.first_branch = *support.chip->min_driver_branch;
    }
    return support;
}

// A chip that current drivers serve, or one that is newer than our tables.
bool is_recent(const Support& support) {
    return !support.chip || !support.chip->last_driver_branch;
}

Finding finding_for(const Gpu& gpu, const Facts& facts, const Known<std::string>& driver) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name},
                    {"address", gpu.address},
                    {"driver", *driver},
                    {"where", facts.container.inside.is(true) ? "container" : "host"}};
    finding.evidence = {evidence_of(seen_as(gpu, facts), "card"), evidence_of(driver, "driver")};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Gpu> gpus = capable_nvidia_gpus(facts, input.tables);
    std::erase_if(gpus, [&](const Gpu& gpu) { return served_by_driver(gpu, facts); });
    if (gpus.empty()) {
        return clear();
    }
    const Known<std::string> driver = installed_driver_version(facts);
    const std::optional<Version> version = driver ? Version::parse_prefix(*driver) : std::nullopt;
    if (!version) {
        const bool none = nvidia_module_loaded(facts).is(false) && !driver_library_installed(facts);
        return none ? not_applicable("no NVIDIA driver is installed") : unknown({"nvidia.kernel_version"});
    }
    std::vector<Finding> findings;
    bool undecided = false;
    for (const Gpu& gpu : gpus) {
        const Support support = support_of(gpu, input.tables);
        const std::vector<const KernelMessage*> refusals = driver_messages(facts, not_in_release, "");
        const bool refused = !refusals.empty() && is_recent(support) && gpus.size() == 1;
        if (support.first_branch > 0 && version->major() < support.first_branch) {
            Finding finding = finding_for(gpu, facts, driver);
            finding.variant = "branch";
            finding.args["first_branch"] = std::to_string(support.first_branch);
            findings.push_back(std::move(finding));
        } else if (refused && support.first_branch == 0) {
            Finding finding = finding_for(gpu, facts, driver);
            finding.confidence = Confidence::likely;
            finding.evidence.push_back(evidence_of(refusals.back()->text, "log"));
            findings.push_back(std::move(finding));
        } else if (!support.chip && !facts.kernel_log.messages) {
            undecided = true;
        }
    }
    return findings.empty() && undecided ? unknown({"kernel_log.messages"}) : fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::too_old_for_gpu
