#include <algorithm>
#include <optional>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

namespace whygpu::rules::container::kubernetes_runtime_not_nvidia {

namespace {

bool is_nvidia(std::string_view runtime) {
    return runtime.starts_with("nvidia");  // also nvidia-cdi, nvidia-legacy
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ContainerHostFacts& host = input.facts.container_host;
    if (!*host.kubernetes_node) {
        return not_applicable("no Kubernetes node");
    }
    if (!host.containerd_runtimes) {
        return host.containerd_runtimes.why() == Missing::absent
                   ? not_applicable("no configuration of containerd here")
                   : unknown({"container_host.containerd_runtimes"});
    }
    if (host.containerd_default_runtime && is_nvidia(*host.containerd_default_runtime)) {
        return clear();
    }
    const bool defined = std::ranges::any_of(*host.containerd_runtimes, is_nvidia);
    const bool cdi = surely_some(host.cdi_specs);
    Finding finding;
    finding.subject = "containerd";
    finding.variant = defined ? "not-default" : "";
    finding.confidence = Confidence::likely;
    finding.evidence = {evidence_of(host.containerd_runtimes, "runtimes")};
    if (host.containerd_default_runtime) {
        finding.evidence.push_back(evidence_of(host.containerd_default_runtime, "default"));
    }
    // The device plug-in may hand out CDI devices, and pods may name the runtime class.
    finding.softened = defined || cdi ? std::optional(Severity::note) : std::nullopt;
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::kubernetes_runtime_not_nvidia
