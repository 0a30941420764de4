#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::selinux_denies_gpu {

namespace {

constexpr std::int64_t nvml_no_permission = 4;  // NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"
constexpr std::int64_t nvml_unknown = 999;

bool is_cuda_node(const std::string& path) {
    const std::optional<std::string_view> rest = after_prefix(path, "/dev/nvidia");
    return rest && (*rest == "ctl" || *rest == "-uvm" || parse_int(*rest));
}

// Open to everybody by its mode, and yet closed: then it is not the file's permissions that refuse.
bool is_refused(const NodeFacts::Node& node) {
    const bool open_to_all = node.mode && node.mode->size() == 4 && node.mode->back() >= '6';
    return node.path && is_cuda_node(*node.path) && open_to_all && node.usable.is(false);
}

bool is_confined(std::string_view label) {
    return contains(label, ":container_t:") || contains(label, ":svirt_lxc_net_t:");
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    const Known<std::string>& label = facts.container.selinux_label;
    if (!label) {
        return label.why() == Missing::absent ? clear() : unknown({"container.selinux_label"});
    }
    if (!is_confined(*label)) {
        return clear();
    }
    const auto refused = std::ranges::find_if(*facts.nodes.nodes, is_refused);
    const bool closed = refused != facts.nodes.nodes->end() && !facts.nvml.init_code.is(nvml_unknown);
    if (!closed && !facts.nvml.init_code.is(nvml_no_permission)) {
        return facts.nvml.init_code || facts.nodes.nodes->empty() ? clear() : unknown({"nvml.init_code"});
    }
    Finding finding;
    finding.subject = "SELinux";
    finding.confidence = Confidence::likely;
    finding.evidence = {evidence_of(label, "label")};
    if (closed) {
        finding.evidence.push_back(Evidence{*refused->path, 0, "mode " + *refused->mode, "refused"});
    }
    if (facts.nvml.init_code.is(nvml_no_permission)) {
        finding.evidence.push_back(evidence_of(facts.nvml.init_code, "nvml"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::selinux_denies_gpu
