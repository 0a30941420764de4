#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "knowledge/rows.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::conda_cudatoolkit_vs_pip_torch {

namespace {

using CondaPackage = PythonFacts::CondaPackage;

bool is_any(const CondaPackage& package, std::initializer_list<std::string_view> names) {
    return package.name && std::ranges::find(names, *package.name) != names.end();
}

/// conda's CUDA runtime, whose version is that of CUDA.
const CondaPackage* cuda_runtime(const PythonFacts& python) {
    for (const CondaPackage& package : *python.conda_packages) {
        if (is_any(package, {"cudatoolkit", "cuda-cudart", "cuda-runtime"}) && package.version) {
            return &package;
        }
    }
    return nullptr;
}

std::string variable(const EnvironmentFacts& environment, std::string_view name) {
    for (const EnvironmentFacts::Variable& one : *environment.variables) {
        if (one.name && one.value && *one.name == name) {
            return *one.value;
        }
    }
    return "";
}

/// LD_LIBRARY_PATH names the environment's lib folder: the loader takes conda's libraries first.
bool path_prefers_conda(const EnvironmentFacts& environment) {
    const std::string prefix = variable(environment, "CONDA_PREFIX");
    const std::string path = variable(environment, "LD_LIBRARY_PATH");
    const std::vector<std::string_view> directories = split(path, ':');
    return !prefix.empty() && std::ranges::find(directories, prefix + "/lib") != directories.end();
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    if (!python.conda_packages) {
        return python.conda_packages.why() == Missing::absent ? not_applicable("no conda environment")
                                                              : unknown({"python.conda_packages"});
    }
    const CondaPackage* cuda = cuda_runtime(python);
    const PythonFacts::Package* torch = package_named(input.facts, "torch");
    const bool by_conda = std::ranges::any_of(*python.conda_packages, [](const CondaPackage& package) {
        return is_any(package, {"pytorch", "libtorch"});
    });
    if (cuda == nullptr || torch == nullptr || by_conda) {
        return not_applicable("no PyTorch of pip beside a CUDA of conda");
    }
    if (!python.torch_cuda || !input.facts.environment.variables) {
        return unknown({"python.torch_cuda", "environment.variables"});
    }
    const std::optional<Version> its = Version::parse_prefix(*python.torch_cuda);
    const std::optional<Version> there = Version::parse_prefix(*cuda->version);
    if (!its || !there || major_minor(*its) == major_minor(*there)) {
        return clear();
    }
    Finding finding;
    finding.subject = *cuda->name + " " + *cuda->version;
    finding.args = {{"package", *cuda->name},
                    {"conda_cuda", *cuda->version},
                    {"torch", *torch->version},
                    {"torch_cuda", *python.torch_cuda}};
    finding.evidence = {evidence_of(cuda->version, "conda"), evidence_of(python.torch_cuda, "torch")};
    finding.confidence = Confidence::likely;
    if (path_prefers_conda(input.facts.environment)) {
        finding.variant = "path";
        finding.args["path"] = "true";
        finding.args["old_path"] = variable(input.facts.environment, "LD_LIBRARY_PATH");
        finding.evidence.push_back(
            Evidence{"environment", 0, "LD_LIBRARY_PATH=" + finding.args["old_path"], "path"});
        finding.softened = Severity::warning;
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::conda_cudatoolkit_vs_pip_torch
