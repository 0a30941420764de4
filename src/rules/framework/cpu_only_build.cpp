#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/torch_advice.h"
#include "units/registry.h"

namespace whygpu::rules::framework::cpu_only_build {

namespace {

struct Builds {
    bool torch_gpu = false;
    bool torch_cpu = false;
    bool tensorflow_gpu = false;
    bool tensorflow_cpu = false;
    bool jax_gpu = false;
    bool jax_cpu = false;

    bool any_gpu() const { return torch_gpu || tensorflow_gpu || jax_gpu; }
    bool any() const { return any_gpu() || torch_cpu || tensorflow_cpu || jax_cpu; }
};

bool is_gpu_value(const Known<std::string>& fact) {
    return fact.known() && *fact != "none";
}

Builds builds_of(const PythonFacts& python) {
    Builds builds;
    builds.torch_gpu = is_gpu_value(python.torch_cuda) || is_gpu_value(python.torch_hip);
    builds.torch_cpu = python.torch_cuda.is("none") && !is_gpu_value(python.torch_hip);
    builds.tensorflow_gpu = python.tensorflow_cuda.is(true);
    builds.tensorflow_cpu = python.tensorflow_cuda.is(false);
    builds.jax_gpu = python.jax_cuda.is(true);
    builds.jax_cpu = python.jax_cuda.is(false);
    return builds;
}

Finding finding_for(const RuleInput& input, const Gpu& gpu, const std::string& package,
                    const std::string& version) {
    Finding finding;
    finding.subject = package + " " + version;
    finding.variant = package == "torch" ? "" : package;
    finding.args = torch_advice(input.facts, input.tables, gpu);
    finding.args["package"] = package;
    finding.args["version"] = version;
    finding.args["gpu"] = gpu.name;
    finding.args["vendor"] = gpu.vendor;
    return finding;
}

/// What conda has to remove before another build fits in: "pytorch cpuonly"; "" for a torch of pip.
std::string conda_pieces(const PythonFacts& python, std::vector<Evidence>& evidence) {
    std::string pieces;
    for (const PythonFacts::CondaPackage& package :
         python.conda_packages ? *python.conda_packages : std::vector<PythonFacts::CondaPackage>{}) {
        const bool counts = package.name.is("pytorch") || package.name.is("cpuonly");
        if (counts) {
            pieces += (pieces.empty() ? "" : " ") + *package.name;
            evidence.push_back(evidence_of(package.name, "conda"));
        }
    }
    return pieces;
}

Evidence gpu_line(const Gpu& gpu) {
    return Evidence{gpu.address.empty() ? "GPU" : gpu.address, 0, gpu.name, "gpu"};
}

std::string text_or(const Known<std::string>& fact, const std::string& other) {
    return fact ? *fact : other;
}

// The card that the framework could use.
const Gpu* usable_gpu(const std::vector<Gpu>& gpus) {
    for (const Gpu& gpu : gpus) {
        if (gpu.capable) {
            return &gpu;
        }
    }
    return nullptr;
}

std::vector<Finding> findings_for(const RuleInput& input, const Gpu& gpu, const Builds& builds) {
    const PythonFacts& python = input.facts.python;
    std::vector<Finding> findings;
    if (builds.torch_cpu) {
        Finding finding = finding_for(input, gpu, "torch", text_or(python.torch_version, ""));
        finding.evidence = {evidence_of(python.torch_version), evidence_of(python.torch_cuda, "no_cuda"),
                            gpu_line(gpu)};
        if (const std::string pieces = conda_pieces(python, finding.evidence); !pieces.empty()) {
            finding.args["conda"] = pieces;
        }
        findings.push_back(std::move(finding));
    }
    if (builds.tensorflow_cpu) {
        Finding finding = finding_for(input, gpu, "tensorflow", text_or(python.tensorflow_version, ""));
        finding.evidence = {evidence_of(python.tensorflow_cuda, "no_cuda"), gpu_line(gpu)};
        findings.push_back(std::move(finding));
    }
    if (builds.jax_cpu) {
        Finding finding = finding_for(input, gpu, "jax", text_or(python.jax_version, ""));
        finding.evidence = {evidence_of(python.jax_cuda, "no_plugin"), gpu_line(gpu)};
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    const Builds builds = builds_of(python);
    if (!builds.any()) {
        const bool none_installed = !python.torch_version && python.torch_version.why() == Missing::absent;
        return none_installed ? not_applicable("no PyTorch, TensorFlow or JAX in the default Python")
                              : unknown({"python.torch_version"});
    }
    const std::vector<Gpu> gpus = gpus_of(input.facts, input.tables);
    Gpu fallback;  // WSL without an answer from the driver: a GPU, but which one is not known
    fallback.vendor = "nvidia";
    fallback.name = "GPU";
    const Gpu* gpu = usable_gpu(gpus);
    std::vector<Finding> findings = findings_for(input, gpu != nullptr ? *gpu : fallback, builds);
    for (Finding& finding : findings) {
        // Beside a framework that can use the GPU, a CPU build of another is often on purpose.
        if (builds.any_gpu()) {
            finding.softened = Severity::note;
        }
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::framework::cpu_only_build
