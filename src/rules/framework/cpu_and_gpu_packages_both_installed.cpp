#include <array>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::cpu_and_gpu_packages_both_installed {

namespace {

/// Two distributions that install the same folder.
struct Pair {
    const char* cpu;
    const char* gpu;
    const char* folder;
};

constexpr std::array<Pair, 5> pairs = {{{"onnxruntime", "onnxruntime-gpu", "onnxruntime"},
                                        {"onnxruntime", "onnxruntime-rocm", "onnxruntime"},
                                        {"tensorflow-cpu", "tensorflow", "tensorflow"},
                                        {"tensorflow-cpu", "tensorflow-gpu", "tensorflow"},
                                        {"tensorflow-cpu", "tensorflow-rocm", "tensorflow"}}};

Finding finding_for(const Facts& facts, const Pair& pair, const PythonFacts::Package& cpu,
                    const PythonFacts::Package& gpu) {
    Finding finding;
    finding.subject = std::string(pair.gpu) + " " + *gpu.version;
    finding.args = {{"cpu", pair.cpu},
                    {"gpu", pair.gpu},
                    {"folder", pair.folder},
                    {"cpu_version", *cpu.version},
                    {"gpu_version", *gpu.version}};
    finding.evidence = {evidence_of(cpu.version, "cpu"), evidence_of(gpu.version, "gpu")};
    finding.confidence = Confidence::likely;
    const bool tensorflow = std::string_view(pair.folder) == "tensorflow";
    if (tensorflow && facts.python.tensorflow_cuda.is(true)) {
        // build_info.py, a file that both write, came from the GPU package.
        finding.softened = Severity::note;
        finding.evidence.push_back(evidence_of(facts.python.tensorflow_cuda, "won"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    std::vector<Finding> findings;
    bool any = false;
    for (const Pair& pair : pairs) {
        const PythonFacts::Package* cpu = package_named(input.facts, pair.cpu);
        const PythonFacts::Package* gpu = package_named(input.facts, pair.gpu);
        any = any || cpu != nullptr || gpu != nullptr;
        // In two directories they do not overwrite each other: the first one is imported.
        const bool same_place = cpu != nullptr && gpu != nullptr && *cpu->location == *gpu->location;
        if (same_place) {
            findings.push_back(finding_for(input.facts, pair, *cpu, *gpu));
        }
    }
    return any ? fired(std::move(findings)) : not_applicable("no package that comes in two kinds");
}

}  // namespace whygpu::rules::framework::cpu_and_gpu_packages_both_installed
