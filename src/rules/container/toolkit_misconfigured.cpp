#include <algorithm>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::toolkit_misconfigured {

namespace {

// Rootful Docker through the older way; Docker 29 takes CDI, which has no use for the setting.
bool legacy_docker(const ContainerHostFacts& host) {
    const std::optional<Version> version =
        host.docker_version ? Version::parse_prefix(*host.docker_version) : std::nullopt;
    const bool registered = host.docker_runtimes &&
                            std::ranges::find(*host.docker_runtimes, "nvidia") != host.docker_runtimes->end();
    return registered && !(version && version->major() >= 29);
}

Finding finding_for(const std::string& variant, const Evidence& line) {
    Finding finding;
    finding.subject = line.source;
    finding.variant = variant;
    finding.args["setting"] = variant.empty() ? "no-cgroups" : variant;
    finding.evidence = {line};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ContainerHostFacts& host = input.facts.container_host;
    std::vector<Finding> findings;
    if (host.no_cgroups.is(true) && legacy_docker(host)) {
        Finding finding = finding_for("", evidence_of(host.no_cgroups, "no_cgroups"));
        finding.confidence = Confidence::likely;
        finding.evidence.push_back(evidence_of(host.docker_runtimes, "registered"));
        findings.push_back(std::move(finding));
    }
    if (host.ldconfig_exists.is(false) && host.ldconfig) {
        Finding finding = finding_for("ldconfig", evidence_of(host.ldconfig_exists, "no_ldconfig"));
        finding.args["path"] = *host.ldconfig;
        findings.push_back(std::move(finding));
    }
    if (host.docker_nvidia_program_exists.is(false) && host.docker_nvidia_program) {
        Finding finding = finding_for("runtime-gone", evidence_of(host.docker_nvidia_program, "no_program"));
        finding.args["path"] = *host.docker_nvidia_program;
        findings.push_back(std::move(finding));
    }
    if (findings.empty() && !host.no_cgroups && host.no_cgroups.why() != Missing::absent) {
        return unknown({"container_host.no_cgroups"});
    }
    if (findings.empty() && !host.docker_runtimes) {
        return unknown({"container_host.docker_runtimes"});
    }
    if (findings.empty() && !host.no_cgroups && host.docker_runtimes->empty()) {
        return not_applicable("no container toolkit is set up here");
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::container::toolkit_misconfigured
