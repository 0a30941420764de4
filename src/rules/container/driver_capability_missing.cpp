#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::driver_capability_missing {

namespace {

bool gives_compute(std::string_view capabilities) {
    if (trimmed(capabilities).empty()) {
        return true;  // the toolkit takes an empty list for its default, utility and compute
    }
    for (const std::string_view one : split(capabilities, ',')) {
        if (trimmed(one) == "compute" || trimmed(one) == "all") {
            return true;
        }
    }
    return false;
}

bool was_passed_in(const NodeFacts& nodes) {
    return std::ranges::any_of(*nodes.nodes, [](const NodeFacts::Node& node) {
        return node.path && node.path->starts_with("/dev/nvidia");
    });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::string>& capabilities = facts.container.driver_capabilities;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    if (!capabilities) {
        return capabilities.why() == Missing::absent ? clear() : unknown({"container.driver_capabilities"});
    }
    if (gives_compute(*capabilities)) {
        return clear();
    }
    if (!was_passed_in(facts.nodes)) {
        return not_applicable("no NVIDIA GPU was passed into this container");
    }
    if (facts.nvidia.library_file) {
        return clear();  // libcuda came another way: CDI ignores the variable
    }
    if (facts.nvidia.library_file.why() != Missing::absent) {
        return unknown({"nvidia.library_file"});
    }
    Finding finding;
    finding.subject = "NVIDIA_DRIVER_CAPABILITIES";
    finding.args = {{"capabilities", *capabilities}};
    finding.evidence = {evidence_of(capabilities, "lacks"), Evidence{"/dev", 0, "/dev/nvidia*", "nodes"},
                        Evidence{"libcuda.so.1", 0, facts.nvidia.library_file.because(), "no_library"}};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::driver_capability_missing
