#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::container::started_without_gpu {

namespace {

bool has_node(const NodeFacts& nodes, std::string_view prefix) {
    for (const NodeFacts::Node& node : *nodes.nodes) {
        if (node.path && node.path->starts_with(prefix)) {
            return true;
        }
    }
    return false;
}

// The nodes through which the card's programs would reach it, if they had been passed in.
bool was_passed_in(const Facts& facts, std::string_view vendor) {
    if (vendor == "amd") {
        return has_node(facts.nodes, "/dev/kfd");
    }
    return has_node(facts.nodes, "/dev/nvidia") || has_node(facts.nodes, "/dev/dxg");
}

Finding finding_for(const Facts& facts, const Gpu& gpu) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name}, {"vendor", gpu.vendor}};
    finding.evidence.push_back(evidence_of(facts.container.inside, "inside"));
    finding.evidence.push_back(Evidence{gpu.address, 0, gpu.name, "on_bus"});
    finding.evidence.push_back(Evidence{"/dev", 0, "", gpu.vendor == "amd" ? "no_kfd" : "no_nodes"});
    if (facts.container.visible_devices) {
        finding.evidence.push_back(evidence_of(facts.container.visible_devices));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    std::vector<Finding> findings;
    for (const Gpu& gpu : gpus_of(facts, input.tables)) {
        if (!gpu.capable || gpu.pci_index < 0) {
            continue;
        }
        if (was_passed_in(facts, gpu.vendor)) {
            return clear();  // some GPU was: others were left out on purpose
        }
        if (findings.empty()) {
            findings.push_back(finding_for(facts, gpu));
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::container::started_without_gpu
