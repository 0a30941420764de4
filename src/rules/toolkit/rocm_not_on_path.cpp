#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::rocm_not_on_path {

Verdict check(const RuleInput& input) {
    const ToolkitFacts& toolkit = input.facts.toolkit;
    if (toolkit.rocm->empty()) {
        return not_applicable("no ROCm in /opt");
    }
    if (!toolkit.rocm_on_path) {
        return unknown({"toolkit.rocm_on_path"});
    }
    if (*toolkit.rocm_on_path) {
        return clear();
    }
    const Known<std::string>& path = toolkit.rocm->front().path;
    Finding finding;
    finding.subject = path ? *path : "/opt/rocm";
    finding.args = {{"folder", finding.subject}};
    finding.evidence = {evidence_of(path, "installed"), Evidence{"PATH", 0, "rocminfo", "not_found"}};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::rocm_not_on_path
