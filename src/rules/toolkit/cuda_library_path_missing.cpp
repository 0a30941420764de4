#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::cuda_library_path_missing {

namespace {

bool has_package(const PythonFacts& python, std::string_view prefix) {
    if (!python.packages) {
        return false;
    }
    return std::any_of(python.packages->begin(), python.packages->end(),
                       [&](const PythonFacts::Package& package) {
                           return package.name && package.name->starts_with(prefix);
                       });
}

// PyTorch's and JAX's CUDA builds, and TensorFlow with its "and-cuda" extra, bring the libraries as
// wheels of their own and need none from the system.
bool brings_its_own(const PythonFacts& python) {
    return has_package(python, "nvidia-cuda-runtime") || has_package(python, "nvidia-cublas");
}

// A toolkit directory counts as searched when it, or the directory that it is a link of, is named.
bool is_searched(const std::string& folder, const ToolkitFacts& toolkit) {
    const std::vector<std::string>& searched = *toolkit.searched_dirs;
    if (std::find(searched.begin(), searched.end(), folder) != searched.end()) {
        return true;
    }
    return std::any_of(toolkit.cached_cuda_libraries->begin(), toolkit.cached_cuda_libraries->end(),
                       [&](const std::string& file) { return file.starts_with(folder + "/"); });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ToolkitFacts& toolkit = input.facts.toolkit;
    const PythonFacts& python = input.facts.python;
    if (toolkit.cuda_library_dirs->empty()) {
        return not_applicable("no CUDA toolkit installed here");
    }
    if (!toolkit.searched_dirs || !toolkit.cached_cuda_libraries) {
        return unknown({"toolkit.searched_dirs", "toolkit.cached_cuda_libraries"});
    }
    // Only a framework that wants the system's libraries makes the missing path a fault.
    if (!python.tensorflow_cuda) {
        const bool no_tensorflow = python.tensorflow_cuda.why() == Missing::absent;
        return no_tensorflow ? not_applicable("no framework here uses the system's CUDA libraries")
                             : unknown({"python.tensorflow_cuda"});
    }
    if (!*python.tensorflow_cuda || brings_its_own(python)) {
        return not_applicable("the framework brings its own CUDA libraries");
    }
    for (const std::string& folder : *toolkit.cuda_library_dirs) {
        if (is_searched(folder, toolkit)) {
            return clear();
        }
    }
    Finding finding;
    finding.subject = toolkit.cuda_library_dirs->front();
    finding.confidence = Confidence::likely;
    finding.args = {{"folder", toolkit.cuda_library_dirs->front()},
                    {"tensorflow", python.tensorflow_version ? *python.tensorflow_version : ""}};
    finding.evidence = {
        Evidence{toolkit.cuda_library_dirs->front(), 0, "libcudart.so", "installed"},
        evidence_of(python.tensorflow_cuda, "wants"),
        Evidence{"/etc/ld.so.conf, LD_LIBRARY_PATH", 0, join(*toolkit.searched_dirs, " "), "searched"}};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::cuda_library_path_missing
