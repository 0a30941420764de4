#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::os::device_node_permission {

namespace {

// The nodes that CUDA opens. Those of MIG capabilities are root's on purpose, and nvidia-modeset is for
// displays.
bool is_cuda_node(const std::string& path) {
    const std::optional<std::string_view> rest = after_prefix(path, "/dev/nvidia");
    if (!rest) {
        return false;
    }
    const bool numbered = !rest->empty() && rest->find_first_not_of("0123456789") == std::string_view::npos;
    return numbered || *rest == "ctl" || *rest == "-uvm";
}

// The nodes that HIP opens.
bool is_hip_node(const std::string& path) {
    return path == "/dev/kfd" || contains(path, "/dev/dri/renderD");
}

bool has_vendor(const std::vector<Gpu>& gpus, std::string_view vendor) {
    for (const Gpu& gpu : gpus) {
        if (gpu.vendor == vendor && gpu.capable) {
            return true;
        }
    }
    return false;
}

Finding finding_for(const std::vector<const NodeFacts::Node*>& closed, const std::string& vendor) {
    Finding finding;
    // /dev/kfd is the one that ROCm opens first.
    const auto kfd = std::find_if(closed.begin(), closed.end(),
                                  [](const NodeFacts::Node* node) { return *node->path == "/dev/kfd"; });
    const NodeFacts::Node& first = kfd == closed.end() ? *closed.front() : **kfd;
    finding.variant = vendor == "amd" ? "amd" : "";
    finding.subject = *first.path;
    finding.args = {{"node", *first.path}, {"vendor", vendor}};
    if (first.owner_group) {
        finding.args["group"] = *first.owner_group;
    }
    const bool group_helps = first.owner_group && first.mode && *first.owner_group != "root" &&
                             first.mode->size() == 4 &&
                             (first.mode->at(2) == '6' || first.mode->at(2) == '7');
    finding.args["way"] = group_helps ? "group" : "mode";
    for (const NodeFacts::Node* node : closed) {
        const std::string mode = node->mode ? *node->mode : "?";
        const std::string group = node->owner_group ? *node->owner_group : "?";
        finding.evidence.push_back(Evidence{*node->path, 0, "mode " + mode + ", group " + group, "closed"});
    }
    return finding;
}

// What happened when the vendor's library had failed and our child opened the nodes of the finding, which
// settles it.
void add_open_errors(Finding& finding, const Known<std::vector<NodeError>>& errors,
                     const std::vector<const NodeFacts::Node*>& closed) {
    if (!errors) {
        return;
    }
    for (const NodeError& each : *errors) {
        const bool of_finding = each.path && std::ranges::any_of(closed, [&](const NodeFacts::Node* node) {
                                    return node->path.is(*each.path);
                                });
        if (of_finding && each.error) {
            finding.evidence.push_back(evidence_of(each.error, "opened"));
        }
    }
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (input.facts.cuda.kernel_code.is(0)) {
        return clear();
    }
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    std::vector<const NodeFacts::Node*> nvidia;
    std::vector<const NodeFacts::Node*> amd;
    bool has_kfd = false;
    for (const NodeFacts::Node& node : *input.facts.nodes.nodes) {
        if (!node.path || !node.usable) {
            continue;
        }
        has_kfd = has_kfd || *node.path == "/dev/kfd";
        if (!*node.usable && is_cuda_node(*node.path)) {
            nvidia.push_back(&node);
        } else if (!*node.usable && is_hip_node(*node.path)) {
            amd.push_back(&node);
        }
    }
    std::vector<Finding> findings;
    if (!nvidia.empty()) {
        findings.push_back(finding_for(nvidia, "nvidia"));
        add_open_errors(findings.back(), input.facts.cuda.node_errors, nvidia);
    }
    if (!amd.empty() && has_kfd && has_vendor(gpus, "amd") && !has_vendor(gpus, "nvidia")) {
        findings.push_back(finding_for(amd, "amd"));
        add_open_errors(findings.back(), input.facts.hip.node_errors, amd);
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::os::device_node_permission
