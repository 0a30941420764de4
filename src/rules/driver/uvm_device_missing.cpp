#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::uvm_device_missing {

namespace {

bool comes_from_missing_uvm(std::int64_t code) {
    return code == 999 || code == 304;
}

bool has_node(const std::vector<NodeFacts::Node>& nodes, std::string_view path) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const NodeFacts::Node& node) { return node.path && *node.path == path; });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    if (nvidia_module_loaded(facts).is(false)) {
        return not_applicable("the NVIDIA module is not loaded");
    }
    if (!facts.nodes.nodes) {
        return unknown({"nodes.nodes"});
    }
    if (has_node(*facts.nodes.nodes, "/dev/nvidia-uvm")) {
        return clear();
    }
    if (!has_node(*facts.nodes.nodes, "/dev/nvidiactl")) {
        return not_applicable("no node of the driver is here");
    }
    if (!facts.cuda.init_code) {
        return unknown({"cuda.init_code"});
    }
    if (!comes_from_missing_uvm(*facts.cuda.init_code)) {
        return not_applicable("CUDA fails for another reason");
    }
    const bool container = facts.container.inside.is(true);
    Finding finding;
    finding.subject = "/dev/nvidia-uvm";
    finding.variant = container ? "container" : "";
    finding.args["where"] = container ? "container" : "host";
    finding.evidence = {{"/dev/nvidia-uvm", 0, "", "missing"}, evidence_of(facts.cuda.init_code, "cuda")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::driver::uvm_device_missing
