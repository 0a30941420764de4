#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::docker_desktop_vm {

namespace {

bool has(const std::vector<std::string>& list, std::string_view entry) {
    return std::ranges::find(list, entry) != list.end();
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Known<std::vector<std::string>>& engines = input.facts.container_host.engines;
    if (!has(*engines, "docker-desktop")) {
        return not_applicable("Docker Desktop is not installed here");
    }
    if (has(*engines, "docker")) {
        return clear();
    }
    Finding finding;
    finding.subject = "Docker Desktop";
    finding.evidence = {evidence_of(engines, "engine")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::docker_desktop_vm
