#include <optional>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/nvidia.h"
#include "knowledge/rows.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::nvcc_does_not_know_gpu_arch {

namespace {

std::optional<Chip> chip_of(const Knowledge& tables, const Gpu& gpu) {
    const std::optional<Chip> chip = chip_by_name(tables, gpu.chip);
    return chip || !gpu.compute_capability ? chip : chip_of_capability(tables, *gpu.compute_capability);
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Known<std::string>& nvcc = input.facts.toolkit.nvcc_version;
    if (!nvcc) {
        return nvcc.why() == Missing::absent ? not_applicable("no nvcc with a version here")
                                             : unknown({"toolkit.nvcc_version"});
    }
    const std::optional<Version> version = Version::parse_prefix(*nvcc);
    std::vector<Finding> findings;
    for (const Gpu& gpu : capable_nvidia_gpus(input.facts, input.tables)) {
        const std::optional<Chip> chip = version ? chip_of(input.tables, gpu) : std::nullopt;
        const bool too_old = chip && chip->first_cuda && major_minor(*version) < *chip->first_cuda;
        const bool dropped = chip && chip->last_cuda && major_minor(*version) > *chip->last_cuda;
        const bool told = !findings.empty() && findings.back().args["gpu"] == gpu.name;
        if ((!too_old && !dropped) || told) {
            continue;
        }
        Finding finding;
        finding.subject = gpu.address.empty() ? gpu.name : gpu.address;
        finding.variant = dropped ? "dropped" : "";
        finding.args = {{"gpu", gpu.name},
                        {"nvcc", version->text()},
                        {"toolkit", (dropped ? *chip->last_cuda : *chip->first_cuda).text()}};
        finding.evidence = {evidence_of(nvcc, "nvcc"), evidence_of(seen_as(gpu, input.facts), "gpu")};
        findings.push_back(std::move(finding));
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::toolkit::nvcc_does_not_know_gpu_arch
