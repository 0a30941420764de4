#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::cpu_lacks_avx {

namespace {

bool has(const std::vector<std::string>& features, std::string_view name) {
    return std::find(features.begin(), features.end(), name) != features.end();
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (has(*facts.cpu.features, "avx")) {
        return clear();
    }
    const bool tensorflow = facts.python.tensorflow_version.known();
    if (!tensorflow && !facts.python.jax_version) {
        const bool absent = facts.python.tensorflow_version.why() == Missing::absent;
        return absent ? not_applicable("neither TensorFlow nor JAX is installed")
                      : unknown({"python.tensorflow_version"});
    }
    const Known<std::string>& version =
        tensorflow ? facts.python.tensorflow_version : facts.python.jax_version;
    const std::string framework = (tensorflow ? "TensorFlow " : "JAX ") + *version;
    Finding finding;
    finding.subject = facts.cpu.model ? *facts.cpu.model : "CPU";
    finding.args = {{"framework", framework}, {"cpu", finding.subject}};
    if (facts.os.hypervisor && *facts.os.hypervisor != "none") {
        finding.variant = "vm";
    }
    finding.evidence = {evidence_of(facts.cpu.features, "flags"), evidence_of(version, "framework")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::hardware::cpu_lacks_avx
