#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

namespace whygpu::rules::driver::library_version_mismatch {

namespace {

constexpr std::int64_t nvml_mismatch = 18;   // NVML_ERROR_LIB_RM_VERSION_MISMATCH
constexpr std::int64_t cuda_mismatch = 803;  // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH

// "/usr/lib/…/libcuda.so.570.86.10" → 570.86.10
std::optional<Version> version_in_file_name(const Known<std::string>& file) {
    if (!file) {
        return std::nullopt;
    }
    const std::size_t at = file->rfind(".so.");
    return at == std::string::npos ? std::nullopt : Version::parse(file->substr(at + 4));
}

std::optional<Version> parsed(const Known<std::string>& version) {
    return version ? Version::parse_prefix(*version) : std::nullopt;
}

std::optional<Version> library_version(const Facts& facts) {
    if (const std::optional<Version> version = parsed(facts.nvidia.library_version)) {
        return version;
    }
    const std::optional<Version> cuda = version_in_file_name(facts.cuda.library);
    const std::optional<Version> nvml = version_in_file_name(facts.nvml.library);
    const std::optional<Version> named = cuda ? cuda : nvml;
    // libcuda.so.1 and WSL's libcuda.so.1.1 carry an interface number, not a driver version.
    return named && named->major() > 1 ? named : std::nullopt;
}

// A newer libcuda before an older module is allowed on data-centre cards: that is what compat packages are.
bool is_compat(const Known<std::string>& file) {
    return file && contains(*file, "/compat");
}

Finding finding_for(const Facts& facts, const std::optional<Version>& module,
                    const std::optional<Version>& library) {
    Finding finding;
    const bool container = facts.container.inside.is(true);
    const bool versions = module && library && *module != *library;
    finding.subject = versions ? "driver " + driver_version_text(*module) : "NVIDIA driver";
    finding.variant =
        versions ? (container ? "container" : "") : (container ? "container-unknown" : "unknown");
    finding.args["where"] = container ? "container" : "host";
    if (versions) {
        finding.args["module"] = driver_version_text(*module);
        finding.args["library"] = driver_version_text(*library);
    }
    if (facts.nvml.init_code.is(nvml_mismatch)) {
        finding.evidence.push_back(evidence_of(facts.nvml.init_code, "nvml"));
    }
    if (facts.cuda.init_code.is(cuda_mismatch)) {
        finding.evidence.push_back(evidence_of(facts.cuda.init_code, "cuda"));
    }
    if (facts.nvidia.kernel_version) {
        finding.evidence.push_back(evidence_of(facts.nvidia.kernel_version, "module"));
    }
    if (facts.nvidia.library_version) {
        finding.evidence.push_back(evidence_of(facts.nvidia.library_version, "library"));
    }
    return finding;
}

// Nobody asked the libraries: what decides are the versions, or else their answers.
Verdict undecided(const Facts& facts, bool versions_known) {
    std::vector<std::string> missing;
    if (!facts.nvml.init_code) {
        missing.push_back("nvml.init_code");
    }
    if (!facts.cuda.init_code) {
        missing.push_back("cuda.init_code");
    }
    if (!versions_known) {
        missing.push_back(facts.nvidia.kernel_version ? "nvidia.library_version" : "nvidia.kernel_version");
    }
    return unknown(std::move(missing));
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const std::optional<Version> module = parsed(facts.nvidia.kernel_version);
    const std::optional<Version> library = library_version(facts);
    if (facts.nvml.init_code.is(nvml_mismatch) || facts.cuda.init_code.is(cuda_mismatch)) {
        return fired(finding_for(facts, module, library));
    }
    if (facts.cuda.init_code.is(0) || facts.nvml.init_code.is(0)) {
        return clear();
    }
    if (nvidia_module_loaded(facts).is(false)) {
        return not_applicable("the NVIDIA module is not loaded");
    }
    if (!library && facts.nvidia.library_file.why() == Missing::absent && !facts.nvidia.library_file) {
        return not_applicable("there is no driver library");
    }
    if (module && library && *module == *library) {
        return clear();
    }
    const bool differ = module && library && !is_compat(facts.nvidia.library_file);
    return differ ? fired(finding_for(facts, module, library)) : undecided(facts, module && library);
}

}  // namespace whygpu::rules::driver::library_version_mismatch
