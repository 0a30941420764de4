#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::cgroup_device_lost {

namespace {

constexpr std::int64_t nvml_unknown = 999;  // NVML_ERROR_UNKNOWN, "Failed to initialize NVML: Unknown Error"

bool is_cuda_node(const std::string& path) {
    const std::optional<std::string_view> rest = after_prefix(path, "/dev/nvidia");
    return rest && (*rest == "ctl" || *rest == "-uvm" || parse_int(*rest));
}

// Open to everybody by its mode, and yet closed: then it is not the file's permissions that refuse.
bool is_refused(const NodeFacts::Node& node) {
    const bool open_to_all = node.mode && node.mode->size() == 4 && node.mode->back() >= '6';
    return node.path && is_cuda_node(*node.path) && open_to_all && node.usable.is(false);
}

bool any_node(const NodeFacts& nodes) {
    return std::ranges::any_of(
        *nodes.nodes, [](const NodeFacts::Node& node) { return node.path && is_cuda_node(*node.path); });
}

// SELinux refuses in the same way; a rule of its own says so.
bool confined(const Facts& facts) {
    const Known<std::string>& label = facts.container.selinux_label;
    return label && contains(*label, ":container_t:") && !facts.nvml.init_code.is(nvml_unknown);
}

Finding finding_for(const Facts& facts, const NodeFacts::Node* refused) {
    Finding finding;
    finding.subject = refused != nullptr ? *refused->path : "NVML";
    finding.confidence = Confidence::likely;
    finding.evidence.push_back(evidence_of(facts.container.inside, "inside"));
    if (refused != nullptr) {
        finding.evidence.push_back(Evidence{*refused->path, 0, "mode " + *refused->mode, "refused"});
    }
    if (facts.nvml.init_code.is(nvml_unknown)) {
        finding.evidence.push_back(evidence_of(facts.nvml.init_code, "nvml"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    if (!any_node(facts.nodes)) {
        return not_applicable("no NVIDIA GPU was passed into this container");
    }
    if (confined(facts)) {
        return not_applicable("SELinux confines this container");
    }
    const auto refused = std::ranges::find_if(*facts.nodes.nodes, is_refused);
    if (refused != facts.nodes.nodes->end()) {
        return fired(finding_for(facts, &*refused));
    }
    if (facts.nvml.init_code.is(nvml_unknown)) {
        return fired(finding_for(facts, nullptr));
    }
    return facts.nvml.init_code ? clear() : unknown({"nvml.init_code"});
}

}  // namespace whygpu::rules::container::cgroup_device_lost
