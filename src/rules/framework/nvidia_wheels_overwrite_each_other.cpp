#include <array>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::nvidia_wheels_overwrite_each_other {

namespace {

/// Libraries whose file has one name whatever CUDA it was built for: nvidia/nccl/lib/libnccl.so.2. The
/// others (libcublas.so.11, libcublas.so.12) lie side by side.
constexpr std::array<std::string_view, 4> libraries = {"nvidia-cudnn-cu", "nvidia-nccl-cu",
                                                       "nvidia-cusparselt-cu", "nvidia-nvshmem-cu"};

/// The installed packages of one library, "nvidia-nccl-cu11" and "nvidia-nccl-cu12".
std::vector<const PythonFacts::Package*> packages_of(const Facts& facts, std::string_view library) {
    std::vector<const PythonFacts::Package*> found;
    for (const PythonFacts::Package& package : *facts.python.packages) {
        const std::optional<std::string_view> cuda =
            package.name ? after_prefix(*package.name, library) : std::nullopt;
        if (cuda && parse_int(*cuda) && package.version && package.location) {
            found.push_back(&package);
        }
    }
    return found;
}

/// Whether its CUDA, "cu12" at the end of its name, is that of the installed PyTorch.
bool is_torchs(const PythonFacts& python, const PythonFacts::Package& package) {
    const std::optional<Version> cuda =
        python.torch_cuda ? Version::parse_prefix(*python.torch_cuda) : std::nullopt;
    return cuda && package.name->ends_with("-cu" + std::to_string(cuda->major()));
}

// cuDNN 8 and 9 have different file names: libcudnn.so.8, libcudnn.so.9.
bool same_files(const PythonFacts::Package& one, const PythonFacts::Package& other) {
    const std::optional<Version> first = release_of(one);
    const std::optional<Version> second = release_of(other);
    return first && second && first->major() == second->major() && *one.location == *other.location;
}

}  // namespace

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    std::vector<Finding> findings;
    bool any = false;
    for (const std::string_view library : libraries) {
        const std::vector<const PythonFacts::Package*> found = packages_of(input.facts, library);
        any = any || !found.empty();
        if (found.size() < 2 || !same_files(*found.front(), *found.back())) {
            continue;
        }
        const PythonFacts::Package& first = *found.front();
        const PythonFacts::Package& second = *found.back();
        Finding finding;
        finding.subject = *first.name + ", " + *second.name;
        finding.args = {{"first", *first.name},
                        {"first_version", *first.version},
                        {"second", *second.name},
                        {"second_version", *second.version},
                        {"wanted", is_torchs(input.facts.python, first) ? "first" : "second"}};
        finding.evidence = {evidence_of(first.version), evidence_of(second.version)};
        finding.confidence = Confidence::likely;
        findings.push_back(std::move(finding));
    }
    return any ? fired(std::move(findings)) : not_applicable("no library package of NVIDIA");
}

}  // namespace whygpu::rules::framework::nvidia_wheels_overwrite_each_other
