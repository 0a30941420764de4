#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::cudnn_missing {

namespace {

bool brings_cudnn(const PythonFacts& python) {
    return python.packages && std::ranges::any_of(*python.packages, [](const PythonFacts::Package& package) {
               return package.name && package.name->starts_with("nvidia-cudnn");
           });
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    const LoaderFacts& loader = input.facts.loader;
    if (!python.tensorflow_cuda) {
        return python.tensorflow_cuda.why() == Missing::absent ? not_applicable("no TensorFlow here")
                                                               : unknown({"python.tensorflow_cuda"});
    }
    if (!*python.tensorflow_cuda || brings_cudnn(python)) {
        return not_applicable("the framework needs no cuDNN of the system");
    }
    if (!python.packages || !loader.cudnn) {
        return unknown({python.packages ? "loader.cudnn" : "python.packages"});
    }
    if (!loader.cudnn->empty()) {
        return clear();
    }
    // Started by its path, such a Python leaves no CONDA_PREFIX by which its libraries could be found.
    if (!python.interpreter || contains(*python.interpreter, "conda") ||
        contains(*python.interpreter, "mamba")) {
        return python.interpreter ? not_applicable("a conda environment may carry cuDNN of its own")
                                  : unknown({"python.interpreter"});
    }
    const std::string version = python.tensorflow_version ? *python.tensorflow_version : "";
    const std::optional<Version> parsed = Version::parse_prefix(version);
    Finding finding;
    finding.subject = "TensorFlow " + version;
    finding.confidence = Confidence::likely;
    // The extra came with 2.14.
    finding.args = {{"tensorflow", version},
                    {"extra", parsed && *parsed >= Version({2, 14}) ? "true" : "false"}};
    finding.evidence = {evidence_of(python.tensorflow_cuda, "wants"),
                        Evidence{"LD_LIBRARY_PATH, ldconfig -p", 0, "libcudnn.so", "not_found"}};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::cudnn_missing
