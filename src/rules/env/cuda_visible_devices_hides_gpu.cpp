#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::env::cuda_visible_devices_hides_gpu {

namespace {

struct Selector {
    std::string_view variable;
    std::string_view vendor;
};

constexpr Selector selectors[] = {
    {"CUDA_VISIBLE_DEVICES", "nvidia"}, {"HIP_VISIBLE_DEVICES", "amd"}, {"ROCR_VISIBLE_DEVICES", "amd"}};

enum class Effect { none, hides_all, out_of_range };

// The runtime reads the list from the left and stops at the first entry that names no device; what
// stands behind it is lost. UUIDs ("GPU-…", "MIG-…") cannot be checked from here and count as right.
Effect effect_of(const std::string& value, std::int64_t device_count) {
    const std::vector<std::string_view> entries = split(value, ',');
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const std::string_view entry = trimmed(entries[index]);
        if (entry.starts_with("GPU-") || entry.starts_with("MIG-")) {
            continue;
        }
        const std::optional<std::int64_t> number = parse_int(entry);
        const bool names_device = number && *number >= 0 && *number < device_count;
        if (!names_device) {
            return index == 0 ? Effect::hides_all : Effect::out_of_range;
        }
    }
    return Effect::none;
}

std::int64_t count_of(const std::vector<Gpu>& gpus, std::string_view vendor) {
    return std::count_if(gpus.begin(), gpus.end(),
                         [&](const Gpu& gpu) { return gpu.vendor == vendor && gpu.capable; });
}

Finding finding_for(const EnvironmentFacts::Variable& variable, Effect effect, std::int64_t device_count) {
    Finding finding;
    finding.subject = *variable.name;
    finding.variant = effect == Effect::out_of_range ? "out-of-range" : "";
    finding.args = {{"variable", *variable.name},
                    {"value", *variable.value},
                    {"count", std::to_string(device_count)},
                    {"numbers", device_count > 1 ? "0-" + std::to_string(device_count - 1) : "0"}};
    finding.evidence = {evidence_of(variable.value)};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    std::vector<Finding> findings;
    for (const EnvironmentFacts::Variable& variable : *input.facts.environment.variables) {
        for (const Selector& selector : selectors) {
            const std::int64_t count = count_of(gpus, selector.vendor);
            // Without a list of the cards (WSL, Jetson) only an empty or negative value is plain.
            const bool listed = count > 0;
            if (!variable.name.is(std::string(selector.variable)) || !variable.value) {
                continue;
            }
            const Effect effect = effect_of(*variable.value, listed ? count : 1024);
            if (effect != Effect::none && (listed || selector.vendor == "nvidia")) {
                findings.push_back(finding_for(variable, effect, count));
            }
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::env::cuda_visible_devices_hides_gpu
