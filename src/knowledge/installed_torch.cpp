#include "knowledge/installed_torch.h"

#include "facts/facts.h"
#include "knowledge/knowledge.h"

namespace whygpu {

namespace {

// "12.4" → "cu124": how the wheels of one CUDA are named.
std::string tag_of_cuda(const Version& cuda) {
    return "cu" + std::to_string(cuda.major()) + std::to_string(cuda.minor());
}

}  // namespace

std::string torch_platform(const Facts& facts) {
    const std::string architecture = facts.os.architecture ? *facts.os.architecture : "";
    return architecture == "x86_64" || architecture == "aarch64" ? "linux_" + architecture : "";
}

std::optional<InstalledTorch> installed_torch(const Facts& facts, const Knowledge& tables) {
    if (!facts.python.torch_version || !facts.python.torch_cuda) {
        return std::nullopt;
    }
    InstalledTorch torch;
    torch.version_text = *facts.python.torch_version;
    const std::optional<PythonVersion> version = PythonVersion::parse(torch.version_text);
    if (!version) {
        return std::nullopt;
    }
    torch.version = *version;
    torch.cuda = Version::parse_prefix(*facts.python.torch_cuda);
    if (torch.cuda) {
        // A local part such as "cu124" names the wheel; builds of one's own ("git1a2b3c") name none.
        const bool published = version->local.empty() || version->local.starts_with("cu");
        torch.tag = version->local.starts_with("cu") ? version->local : tag_of_cuda(*torch.cuda);
        if (published && !version->pre_release) {
            torch.code = torch_wheel_code(tables, version->release, torch.tag, torch_platform(facts));
        }
    }
    return torch;
}

std::optional<WheelChoice> torch_for_machine(const Facts& facts, const Knowledge& tables,
                                             const Version& compute_capability) {
    const std::optional<Version> python =
        facts.python.version ? Version::parse_prefix(*facts.python.version) : std::nullopt;
    return newest_torch_for(tables, compute_capability, driver_version_of(facts), torch_platform(facts),
                            python);
}

std::optional<Version> driver_version_of(const Facts& facts) {
    for (const Known<std::string>* fact : {&facts.nvml.driver_version, &facts.nvidia.kernel_version}) {
        if (fact->known()) {
            return Version::parse_prefix(fact->value());
        }
    }
    return std::nullopt;
}

}  // namespace whygpu
