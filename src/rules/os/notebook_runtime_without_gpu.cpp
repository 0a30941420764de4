#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::os::notebook_runtime_without_gpu {

namespace {

using Variable = EnvironmentFacts::Variable;

const Variable* variable(const EnvironmentFacts& environment, std::string_view name) {
    for (const Variable& one : *environment.variables) {
        if (one.name && one.value && *one.name == name) {
            return &one;
        }
    }
    return nullptr;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Variable* colab = variable(facts.environment, "COLAB_RELEASE_TAG");
    const Variable* kaggle = variable(facts.environment, "KAGGLE_KERNEL_RUN_TYPE");
    if (colab == nullptr && kaggle == nullptr) {
        return not_applicable("not in a notebook of Colab or Kaggle");
    }
    if (variable(facts.environment, "COLAB_TPU_1VM") != nullptr) {
        return not_applicable("a runtime with a TPU");
    }
    if (!facts.pci.gpus) {
        return unknown({"pci.gpus"});
    }
    const std::vector<Gpu> gpus = gpus_of(facts, input.tables);
    const bool has_nodes = facts.nodes.nodes && std::ranges::any_of(*facts.nodes.nodes, [](const auto& node) {
                               return node.path && node.path->starts_with("/dev/nvidia");
                           });
    if (has_nodes || std::ranges::any_of(gpus, [](const Gpu& gpu) { return gpu.capable; })) {
        return clear();
    }
    const Variable& marker = colab != nullptr ? *colab : *kaggle;
    Finding finding;
    finding.subject = colab != nullptr ? "Colab" : "Kaggle";
    finding.variant = colab != nullptr ? "" : "kaggle";
    finding.args = {{"service", finding.subject}};
    finding.evidence = {evidence_of(marker.value)};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::os::notebook_runtime_without_gpu
