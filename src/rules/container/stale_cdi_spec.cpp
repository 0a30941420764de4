#include <optional>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

namespace whygpu::rules::container::stale_cdi_spec {

namespace {

using Spec = ContainerHostFacts::CdiSpec;

Finding finding_for(const Spec& spec, const std::optional<std::string>& driver) {
    Finding finding;
    finding.subject = *spec.path;
    finding.args = {{"spec", *spec.path}, {"by", spec.path->starts_with("/var/run/") ? "service" : "hand"}};
    if (driver) {
        finding.variant = "version";
        finding.args["driver"] = *driver;
        finding.args["old"] = *spec.driver_version;
        finding.evidence.push_back(evidence_of(spec.driver_version, "old"));
    }
    if (spec.missing_files && !spec.missing_files->empty()) {
        finding.args["file"] = spec.missing_files->front();
        finding.evidence.push_back(Evidence{*spec.path, 0, spec.missing_files->front(), "gone"});
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.container_host.cdi_specs->empty()) {
        return not_applicable("no CDI specification for NVIDIA here");
    }
    const bool wsl = facts.wsl.inside.is(true);
    if (!wsl && nvidia_module_loaded(facts).is(false)) {
        return not_applicable("the NVIDIA module is not loaded: the driver comes first");
    }
    const Known<std::string> installed = wsl ? Known<std::string>() : installed_driver_version(facts);
    const std::optional<Version> driver = installed ? Version::parse_prefix(*installed) : std::nullopt;
    const std::optional<Version> library =
        facts.nvidia.library_version ? Version::parse_prefix(*facts.nvidia.library_version) : std::nullopt;
    std::vector<Finding> findings;
    bool all_known = true;
    for (const Spec& spec : *facts.container_host.cdi_specs) {
        if (!spec.path) {
            continue;
        }
        const std::optional<Version> own =
            spec.driver_version ? Version::parse_prefix(*spec.driver_version) : std::nullopt;
        // Between an update and the reboot the files on the disk are newer than the driver that runs.
        const bool on_disk = own && library && *own == *library;
        const bool differs = own && driver && *own != *driver && !on_disk;
        if (differs || (spec.missing_files && !spec.missing_files->empty())) {
            findings.push_back(
                finding_for(spec, differs ? std::optional(driver_version_text(*driver)) : std::nullopt));
        }
        all_known = all_known && spec.missing_files;
    }
    if (findings.empty() && !all_known) {
        return unknown({"container_host.cdi_specs"});
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::container::stale_cdi_spec
