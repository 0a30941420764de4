#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/amd.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"
#include "knowledge/torch_advice.h"
#include "units/registry.h"

namespace whygpu::rules::framework::rocm_gfx_not_in_build {

namespace {

/// The variable's fact where it is set; null where it is not.
const Known<std::string>* value_of(const EnvironmentFacts& environment, std::string_view name) {
    for (const EnvironmentFacts::Variable& variable : *environment.variables) {
        if (variable.name && variable.value && *variable.name == name) {
            return &variable.value;
        }
    }
    return nullptr;
}

bool is_in(const std::vector<std::string>& code, const std::string& gfx) {
    return std::ranges::find(code, gfx) != code.end();
}

/// Where the list of a build was not read: the lists only grew for the targets that AMD supports.
bool older_build_has(const RuleInput& input, const Version& torch, const Gpu& gpu) {
    const Table& builds = input.tables.table("torch_rocm");
    for (std::size_t index = 0; index < builds.size(); ++index) {
        const Table::Row row = builds.row(index);
        const std::optional<Version> series = version_in(row, "series");
        if (series && *series <= torch && is_in(row.items("gfx"), gpu.gfx)) {
            return rocm_official(input.tables, gpu.gfx, gpu.name).value_or(false);
        }
    }
    return false;
}

/// The AMD GPUs that count: cards, or the integrated ones where there is no card.
std::vector<Gpu> amd_gpus(const RuleInput& input) {
    std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    std::erase_if(gpus, [](const Gpu& gpu) { return gpu.vendor != "amd" || !gpu.capable; });
    if (std::ranges::any_of(gpus, [](const Gpu& gpu) { return !gpu.integrated; })) {
        std::erase_if(gpus, [](const Gpu& gpu) { return gpu.integrated; });
    }
    return gpus;
}

Finding finding_for(const RuleInput& input, const Gpu& gpu, const InstalledTorch& torch,
                    const std::vector<std::string>& code) {
    Finding finding;
    finding.subject = "torch " + torch.version_text;
    finding.args = torch_advice(input.facts, input.tables, gpu);
    finding.args["gpu"] = gpu.name;
    finding.args["gfx"] = gpu.gfx;
    finding.args["version"] = torch.version_text;
    const std::optional<GfxSupport> support = gfx_support(input.tables, gpu.gfx);
    const bool has_override = support && !support->safe_override.empty();
    if (has_override) {
        finding.args["override"] = support->safe_override;
    }
    finding.args["advice"] = finding.args.contains("torch_install") ? "wheel"
                             : has_override                         ? "override"
                                                                    : "none";
    finding.evidence = {
        evidence_of(input.facts.python.torch_version),
        Evidence{gpu.address.empty() ? "KFD" : gpu.address, 0, gpu.name + ", " + gpu.gfx, "gpu"},
        Evidence{"torch " + torch.version_text, 0, join(code, " "), "code"}};
    finding.confidence = Confidence::likely;
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (python.torch_hip.is("none") || (!python.torch_hip && python.torch_hip.why() == Missing::absent)) {
        return not_applicable("no PyTorch with ROCm in the default Python");
    }
    const std::optional<InstalledTorch> torch = installed_torch(input.facts, input.tables);
    const std::optional<std::vector<std::string>> code =
        torch ? torch_rocm_code(input.tables, torch->version.release, torch->version.local) : std::nullopt;
    const std::vector<Gpu> gpus = amd_gpus(input);
    if (!python.torch_hip || !code) {
        const bool served = torch && std::ranges::any_of(gpus, [&](const Gpu& gpu) {
                                return older_build_has(input, torch->version.release, gpu);
                            });
        return served ? clear() : unknown({"python.torch_version"});
    }
    if (!input.facts.environment.variables) {
        return unknown({"environment.variables"});
    }
    if (std::ranges::all_of(gpus, [](const Gpu& gpu) { return gpu.gfx.empty(); })) {
        return unknown({"amd.kfd_nodes"});
    }
    if (std::ranges::any_of(gpus, [&](const Gpu& gpu) { return is_in(*code, gpu.gfx); })) {
        return clear();
    }
    const Known<std::string>* override = value_of(input.facts.environment, "HSA_OVERRIDE_GFX_VERSION");
    Finding finding = finding_for(input, gpus.front(), *torch, *code);
    if (override != nullptr && finding.args.contains("override") && **override == finding.args["override"]) {
        return clear();
    }
    if (override != nullptr) {
        finding.evidence.push_back(evidence_of(*override, "override"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::rocm_gfx_not_in_build
