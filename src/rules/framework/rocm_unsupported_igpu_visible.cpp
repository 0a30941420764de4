#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/amd.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "units/registry.h"

namespace whygpu::rules::framework::rocm_unsupported_igpu_visible {

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

/// The number that HIP gives to the first GPU with a target: KFD's order without the processors.
std::optional<std::size_t> hip_index(const AmdFacts& amd, const std::string& gfx) {
    for (std::size_t index = 0; index < amd.kfd_nodes->size(); ++index) {
        if (amd.kfd_nodes->at(index).gfx.is(gfx)) {
            return index;
        }
    }
    return std::nullopt;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (python.torch_hip.is("none") || (!python.torch_hip && python.torch_hip.why() == Missing::absent)) {
        return not_applicable("no PyTorch with ROCm in the default Python");
    }
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    const auto is_igpu = [](const Gpu& gpu) { return gpu.vendor == "amd" && gpu.integrated; };
    if (input.facts.pci.gpus && std::ranges::none_of(gpus, is_igpu)) {
        return not_applicable("no graphics in the processor");
    }
    const std::optional<InstalledTorch> torch = installed_torch(input.facts, input.tables);
    const std::optional<std::vector<std::string>> code =
        torch ? torch_rocm_code(input.tables, torch->version.release, torch->version.local) : std::nullopt;
    if (!python.torch_hip || !code) {
        return unknown({"python.torch_version"});
    }
    if (!input.facts.amd.kfd_nodes || !input.facts.environment.variables) {
        return unknown({"amd.kfd_nodes", "environment.variables"});
    }
    for (const char* variable : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
        if (value_of(input.facts.environment, variable) != nullptr) {
            return clear();
        }
    }
    const auto card = std::ranges::find_if(gpus, [&](const Gpu& gpu) {
        return gpu.vendor == "amd" && !gpu.integrated && is_in(*code, gpu.gfx);
    });
    const auto integrated = std::ranges::find_if(gpus, [&](const Gpu& gpu) {
        return is_igpu(gpu) && !gpu.gfx.empty() && !is_in(*code, gpu.gfx) &&
               hip_index(input.facts.amd, gpu.gfx);
    });
    const std::optional<std::size_t> index =
        card == gpus.end() ? std::nullopt : hip_index(input.facts.amd, card->gfx);
    if (!index || integrated == gpus.end()) {
        return clear();
    }
    Finding finding;
    finding.subject = integrated->name;
    finding.args = {{"gpu", integrated->name},
                    {"gfx", integrated->gfx},
                    {"card", card->name},
                    {"index", std::to_string(*index)}};
    const std::size_t place = *hip_index(input.facts.amd, integrated->gfx);
    finding.evidence = {evidence_of(input.facts.amd.kfd_nodes->at(place).gfx, "integrated"),
                        evidence_of(input.facts.amd.kfd_nodes->at(*index).gfx, "card")};
    finding.confidence = Confidence::possible;
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::rocm_unsupported_igpu_visible
