#include <algorithm>
#include <optional>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/nvcc.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::host_compiler_too_new_for_nvcc {

namespace {

// Debian's nvcc is a script that names a compiler which fits.
bool chooses_itself(const ToolkitFacts& toolkit) {
    return toolkit.nvcc && toolkit.nvcc->starts_with("/usr/bin/");
}

bool told_otherwise(const EnvironmentFacts& environment) {
    return environment.variables &&
           std::ranges::any_of(*environment.variables, [](const EnvironmentFacts::Variable& variable) {
               return variable.name &&
                      (*variable.name == "NVCC_PREPEND_FLAGS" || *variable.name == "NVCC_CCBIN" ||
                       *variable.name == "NVCC_APPEND_FLAGS");
           });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ToolkitFacts& toolkit = input.facts.toolkit;
    if (!toolkit.nvcc_version) {
        return toolkit.nvcc_version.why() == Missing::absent ? not_applicable("no nvcc with a version here")
                                                             : unknown({"toolkit.nvcc_version"});
    }
    if (!toolkit.gcc_version) {
        return toolkit.gcc_version.why() == Missing::absent ? not_applicable("no gcc with a version here")
                                                            : unknown({"toolkit.gcc_version"});
    }
    const std::optional<Version> nvcc = Version::parse_prefix(*toolkit.nvcc_version);
    const std::optional<Version> gcc = Version::parse_prefix(*toolkit.gcc_version);
    const std::optional<int> newest = nvcc ? newest_gcc_for_nvcc(input.tables, *nvcc) : std::nullopt;
    if (!gcc || !newest) {
        return not_applicable("it is not known which compilers this nvcc takes");
    }
    if (gcc->major() <= *newest || chooses_itself(toolkit) || told_otherwise(input.facts.environment)) {
        return clear();
    }
    Finding finding;
    finding.subject = "gcc " + std::to_string(gcc->major());
    finding.args = {
        {"gcc", std::to_string(gcc->major())}, {"newest", std::to_string(*newest)}, {"nvcc", nvcc->text()}};
    finding.evidence = {evidence_of(toolkit.gcc_version, "gcc"), evidence_of(toolkit.nvcc_version, "nvcc")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::host_compiler_too_new_for_nvcc
