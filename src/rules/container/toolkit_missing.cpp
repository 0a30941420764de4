#include <algorithm>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

namespace whygpu::rules::container::toolkit_missing {

namespace {

bool has(const std::vector<std::string>& list, std::string_view entry) {
    return std::ranges::find(list, entry) != list.end();
}

// Docker 29 sends --gpus through CDI and needs a specification; before, the runtime was enough.
bool docker_uses_cdi(const Known<std::string>& version) {
    const std::optional<Version> parsed = version ? Version::parse_prefix(*version) : std::nullopt;
    return parsed && parsed->major() >= 29;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const ContainerHostFacts& host = facts.container_host;
    const bool docker = has(*host.engines, "docker");
    if (!docker && !has(*host.engines, "podman")) {
        return not_applicable("neither Docker nor Podman is installed here");
    }
    if (!facts.wsl.inside.is(true) && nvidia_module_loaded(facts).is(false)) {
        return not_applicable("the NVIDIA module is not loaded: the driver comes first");
    }
    if (!host.cdi_specs->empty()) {
        return clear();
    }
    if (docker && !host.docker_runtimes) {
        return unknown({"container_host.docker_runtimes"});
    }
    if (docker && has(*host.docker_runtimes, "nvidia")) {
        return clear();
    }
    const bool installed = !host.toolkit_programs->empty();
    const std::string engine = docker ? "docker" : "podman";
    Finding finding;
    finding.subject = docker ? "Docker" : "Podman";
    finding.variant = installed ? "not-registered" : "";
    finding.args = {{"name", finding.subject},
                    {"runs", engine},
                    {"way", docker && !docker_uses_cdi(host.docker_version) ? "runtime" : "cdi"},
                    {"installed", installed ? "true" : "false"}};
    finding.evidence = {Evidence{"/usr/bin", 0, engine, "engine"}};
    finding.evidence.push_back(installed ? evidence_of(host.toolkit_programs, "toolkit")
                                         : Evidence{"/usr/bin", 0, "nvidia-ctk", "no_toolkit"});
    if (docker) {
        finding.evidence.push_back(
            Evidence{"/etc/docker/daemon.json", 0, host.docker_runtimes.source().text, "no_runtime"});
    }
    finding.evidence.push_back(Evidence{"/etc/cdi, /var/run/cdi", 0, "", "no_spec"});
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::toolkit_missing
