#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"
#include "knowledge/wheel_code.h"
#include "units/registry.h"

namespace whygpu::rules::framework::python_version_has_no_wheel {

namespace {

/// The Python versions of the newest release with wheels for a GPU.
struct Range {
    std::string min;
    std::string max;
    std::string torch;
};

std::optional<Range> range_for(const RuleInput& input, const Version& capability) {
    const std::optional<WheelChoice> choice = newest_torch_for(
        input.tables, capability, std::nullopt, torch_platform(input.facts), std::nullopt);
    const std::optional<Table::Row> row =
        choice ? find_row(input.tables.table("torch_releases"), "version", choice->torch.text())
               : std::nullopt;
    if (!row || !row->cell("python_min") || !row->cell("python_max")) {
        return std::nullopt;
    }
    return Range{row->text("python_min"), row->text("python_max"), choice->torch.text()};
}

/// A torch that uses this machine's GPU is there already, wherever it came from.
bool has_working_torch(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    const bool gpu_build = (python.torch_cuda && *python.torch_cuda != "none") ||
                           (python.torch_hip && *python.torch_hip != "none");
    return gpu_build && check_wheel_code(input.facts, input.tables).kind != WheelCheck::Kind::gap;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (!python.version && python.version.why() == Missing::absent) {
        return not_applicable("no Python was found");
    }
    const std::optional<Version> version = python.version ? Version::parse(*python.version) : std::nullopt;
    if (!version) {
        return unknown({"python.version"});
    }
    if (torch_platform(input.facts).empty()) {
        return unknown({"os.architecture"});
    }
    if (has_working_torch(input)) {
        return clear();
    }
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    const auto gpu = std::ranges::find_if(gpus, [](const Gpu& one) {
        return one.vendor == "nvidia" && one.capable && one.compute_capability.has_value();
    });
    if (gpu == gpus.end()) {
        return unknown({"cuda.devices"});
    }
    const std::optional<Range> range = range_for(input, *gpu->compute_capability);
    const bool any = newest_torch_for(input.tables, *gpu->compute_capability, std::nullopt,
                                      torch_platform(input.facts), version)
                         .has_value();
    if (!range || any) {
        return clear();
    }
    Finding finding;
    const std::optional<Version> min = Version::parse(range->min);
    finding.subject = "Python " + *python.version;
    finding.variant = min && *version < *min ? "old" : "";
    finding.args = {{"version", *python.version}, {"gpu", gpu->name},     {"min", range->min},
                    {"max", range->max},          {"torch", range->torch}};
    finding.evidence = {evidence_of(python.version)};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::python_version_has_no_wheel
