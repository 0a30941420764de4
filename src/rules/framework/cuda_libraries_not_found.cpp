#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::cuda_libraries_not_found {

namespace {

// The extra that brings the libraries exists since then.
const Version first_with_extra({2, 14});

bool any_cudnn_wheel(const Facts& facts) {
    return std::ranges::any_of(*facts.python.packages, [](const PythonFacts::Package& package) {
        return package.name && package.name->starts_with("nvidia-cudnn-cu");
    });
}

bool conda_brings_cuda(const PythonFacts& python) {
    return python.conda_packages &&
           std::ranges::any_of(*python.conda_packages, [](const PythonFacts::CondaPackage& package) {
               return package.name && (*package.name == "cudnn" || *package.name == "cudatoolkit" ||
                                       package.name->starts_with("cuda-cudart"));
           });
}

bool path_is_set(const EnvironmentFacts& environment) {
    return !environment.variables ||
           std::ranges::any_of(*environment.variables, [](const EnvironmentFacts::Variable& variable) {
               return variable.name.is("LD_LIBRARY_PATH") && variable.value && !variable.value->empty();
           });
}

const PythonFacts::Package* jax_plugin(const Facts& facts) {
    for (const char* name : {"jax-cuda13-plugin", "jax-cuda12-plugin"}) {
        if (const PythonFacts::Package* plugin = package_named(facts, name)) {
            return plugin;
        }
    }
    return nullptr;
}

Finding finding_for(const Facts& facts, const PythonFacts::Package& package) {
    Finding finding;
    const bool jax = package.name->starts_with("jax");
    finding.subject = *package.name + " " + *package.version;
    finding.variant = jax ? "jax" : "";
    finding.args = {{"package", jax ? "jax" : "tensorflow"}, {"version", *package.version}};
    const std::optional<Version> release = release_of(package);
    if (jax) {
        finding.args["requirement"] = "jax[" + package.name->substr(4, 6) + "]==" + *package.version;
    } else if (release && *release >= first_with_extra) {
        finding.args["requirement"] = "tensorflow[and-cuda]==" + *package.version;
    }
    finding.args["advice"] = finding.args.contains("requirement") ? "extra" : "system";
    finding.evidence = {evidence_of(package.version)};
    if (!jax) {
        finding.evidence.push_back(evidence_of(facts.python.tensorflow_cuda, "cuda"));
    }
    finding.confidence = Confidence::likely;
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (const std::optional<Verdict> verdict = without_packages(facts)) {
        return *verdict;
    }
    const PythonFacts::Package* tensorflow =
        facts.python.tensorflow_cuda.is(true) ? package_named(facts, "tensorflow") : nullptr;
    const PythonFacts::Package* plugin = jax_plugin(facts);
    if (tensorflow == nullptr && plugin == nullptr) {
        return facts.python.packages_complete ? not_applicable("no TensorFlow or JAX with CUDA")
                                              : unknown({"python.packages_complete"});
    }
    if (any_cudnn_wheel(facts) || conda_brings_cuda(facts.python)) {
        return clear();
    }
    const ToolkitFacts& toolkit = facts.toolkit;
    const bool in_cache = toolkit.cached_cuda_libraries && !toolkit.cached_cuda_libraries->empty();
    const bool in_toolkit = toolkit.cuda_library_dirs && !toolkit.cuda_library_dirs->empty();
    if (in_cache || in_toolkit) {
        return clear();  // whether the loader finds them is the question of the toolkit rules
    }
    if (!toolkit.cached_cuda_libraries || !toolkit.cuda_library_dirs) {
        return unknown({"toolkit.cached_cuda_libraries", "toolkit.cuda_library_dirs"});
    }
    if (path_is_set(facts.environment) || !facts.python.packages_complete) {
        return unknown({"environment.variables", "python.packages_complete"});
    }
    std::vector<Finding> findings;
    for (const PythonFacts::Package* package : {tensorflow, plugin}) {
        if (package != nullptr) {
            findings.push_back(finding_for(facts, *package));
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::framework::cuda_libraries_not_found
