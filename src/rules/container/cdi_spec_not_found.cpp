#include <algorithm>
#include <optional>

#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::cdi_spec_not_found {

namespace {

// "/var/run/cdi/" and "/run/cdi" are one.
std::string plain(std::string_view folder) {
    while (folder.size() > 1 && folder.ends_with('/')) {
        folder.remove_suffix(1);
    }
    return std::string(folder.starts_with("/var/run/") ? folder.substr(4) : folder);
}

bool reads_folder(const std::vector<std::string>& folders, const std::string& path) {
    const std::string wanted = plain(path.substr(0, path.rfind('/')));
    return std::ranges::any_of(folders, [&](const std::string& folder) { return plain(folder) == wanted; });
}

Finding finding_for(const std::string& variant, const std::string& spec, const Evidence& line) {
    Finding finding;
    finding.subject = spec;
    finding.variant = variant;
    finding.args = {{"spec", spec}, {"reason", variant.empty() ? "folder" : variant}};
    finding.evidence = {Evidence{spec, 0, "", "spec"}, line};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ContainerHostFacts& host = input.facts.container_host;
    const bool docker = std::ranges::find(*host.engines, "docker") != host.engines->end();
    if (!docker || host.cdi_specs->empty()) {
        return not_applicable("no Docker with a CDI specification for NVIDIA here");
    }
    const bool runtime = host.docker_runtimes &&
                         std::ranges::find(*host.docker_runtimes, "nvidia") != host.docker_runtimes->end();
    const Known<std::string>& path = host.cdi_specs->front().path;
    const std::string spec = path ? *path : "";
    if (host.docker_cdi.is(false)) {
        Finding finding = finding_for("off", spec, evidence_of(host.docker_cdi, "off"));
        finding.softened = runtime ? std::optional(Severity::note) : std::nullopt;
        return fired(std::move(finding));
    }
    if (!host.docker_cdi_dirs) {
        return host.docker_cdi_dirs.why() == Missing::absent ? clear()
                                                             : unknown({"container_host.docker_cdi_dirs"});
    }
    const bool read = std::ranges::any_of(*host.cdi_specs, [&](const auto& one) {
        return one.path && reads_folder(*host.docker_cdi_dirs, *one.path);
    });
    return read ? clear() : fired(finding_for("", spec, evidence_of(host.docker_cdi_dirs, "folders")));
}

}  // namespace whygpu::rules::container::cdi_spec_not_found
