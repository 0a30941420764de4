#include "knowledge/driver_state.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"
#include "facts/facts.h"

namespace whygpu {

// Containers often hide half of this: /proc/driver/nvidia and /proc/modules are the host's and mostly
// readable, but sandboxes (gVisor, Kata) have neither while the driver libraries work. So every sign
// that the module runs counts, and only the places where it would have to be seen prove that it does not.

namespace {

constexpr const char* modules_file = "/proc/modules";

// Beginnings of package names: Ubuntu, Debian, NVIDIA's repositories, RPM Fusion, SUSE.
constexpr std::array<std::string_view, 20> driver_package_names = {
    "nvidia-driver",    "nvidia-dkms-",         "nvidia-open",          "nvidia-kernel-",
    "nvidia-headless-", "linux-modules-nvidia", "linux-objects-nvidia", "kmod-nvidia",
    "akmod-nvidia",     "dkms-nvidia",          "nvidia-tesla-",        "nvidia-legacy-",
    "cuda-drivers",     "xorg-x11-drv-nvidia",  "nvidia-compute-G0",    "nvidia-video-G0",
    "nvidia-gfxG0",     "nvidia-driver-G0",     "nvidia-kmod",          "xserver-xorg-video-nvidia"};
// The same beginnings without a driver behind them.
constexpr std::array<std::string_view, 3> other_package_names = {
    "nvidia-driver-pinning", "nvidia-driver-assistant", "nvidia-kernel-common"};

template <std::size_t Count>
bool begins_with_any(std::string_view text, const std::array<std::string_view, Count>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool is_real_library(const Known<std::string>& file) {
    return file && !contains(*file, "/compat") && !contains(*file, "/stubs");
}

template <class Devices>
bool lists_address(const Known<Devices>& devices, const std::string& address) {
    if (!devices) {
        return false;
    }
    return std::any_of(devices->begin(), devices->end(), [&](const auto& device) {
        return device.pci_address && normalised_pci_address(*device.pci_address) == address;
    });
}

// A sign that the module runs, or nothing.
std::optional<Known<bool>> sign_of_module(const Facts& facts) {
    if (facts.nvidia.kernel_version) {
        return Known<bool>(true, facts.nvidia.kernel_version.source());
    }
    if (facts.modules.nvidia_version) {
        return Known<bool>(true, facts.modules.nvidia_version.source());
    }
    if (facts.nvml.init_code.is(0)) {
        return Known<bool>(true, facts.nvml.init_code.source());
    }
    if (facts.cuda.init_code.is(0)) {
        return Known<bool>(true, facts.cuda.init_code.source());
    }
    return std::nullopt;
}

}  // namespace

Known<bool> nvidia_module_loaded(const Facts& facts) {
    if (const std::optional<Known<bool>> sign = sign_of_module(facts)) {
        return *sign;
    }
    const Known<std::vector<std::string>>& loaded = facts.modules.loaded;
    if (loaded) {
        const bool listed = std::find(loaded->begin(), loaded->end(), "nvidia") != loaded->end();
        const std::string place = loaded.source().origin.empty() ? modules_file : loaded.source().origin;
        return Known<bool>(listed, Source{place, 0, listed ? "nvidia" : "no line for nvidia"});
    }
    if (facts.nvidia.kernel_version.why() == Missing::absent) {
        return Known<bool>(false, Source{"/proc/driver/nvidia/version", 0, "not there"});
    }
    return Known<bool>::missing_like(loaded);
}

Known<std::string> running_driver_version(const Facts& facts) {
    for (const Known<std::string>* version :
         {&facts.nvml.driver_version, &facts.nvidia.kernel_version, &facts.modules.nvidia_version}) {
        if (version->known() && Version::parse_prefix(**version)) {
            return *version;
        }
    }
    return Known<std::string>::missing_like(facts.nvidia.kernel_version);
}

Known<std::string> installed_driver_version(const Facts& facts) {
    const Known<std::string> running = running_driver_version(facts);
    return running ? running : facts.nvidia.library_version;
}

std::string driver_version_text(const Version& version) {
    const std::string text = version.text();
    const std::size_t last = text.rfind('.');
    const bool padded = last != text.find('.') && last + 2 == text.size();
    return padded ? text.substr(0, last + 1) + "0" + text.substr(last + 1) : text;
}

std::string installed_driver_branch(const Facts& facts) {
    const Known<std::string> version = installed_driver_version(facts);
    const std::optional<Version> parsed = version ? Version::parse_prefix(*version) : std::nullopt;
    return parsed ? std::to_string(parsed->major()) : "";
}

bool driver_library_installed(const Facts& facts) {
    return is_real_library(facts.nvidia.library_file) || is_real_library(facts.nvml.library) ||
           is_real_library(facts.cuda.library);
}

std::vector<std::string> driver_packages(const Facts& facts) {
    std::vector<std::string> packages;
    if (facts.nvidia.packages) {
        std::copy_if(facts.nvidia.packages->begin(), facts.nvidia.packages->end(),
                     std::back_inserter(packages), [](const std::string& package) {
                         return begins_with_any(package, driver_package_names) &&
                                !begins_with_any(package, other_package_names);
                     });
    }
    return packages;
}

std::vector<Gpu> capable_nvidia_gpus(const Facts& facts, const Knowledge& tables) {
    std::vector<Gpu> gpus = gpus_of(facts, tables);
    std::erase_if(gpus, [](const Gpu& gpu) { return gpu.vendor != "nvidia" || !gpu.capable; });
    return gpus;
}

bool served_by_driver(const Gpu& gpu, const Facts& facts) {
    return gpu.pci_index < 0 || lists_address(facts.nvml.devices, gpu.address) ||
           lists_address(facts.cuda.devices, gpu.address);
}

Known<std::string> seen_as(const Gpu& gpu, const Facts& facts) {
    if (gpu.pci_index < 0 || !facts.pci.gpus) {
        return Known<std::string>(gpu.name, Source{"NVIDIA driver", 0, gpu.name});
    }
    const PciFacts::Device& device = facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index));
    for (const Known<std::string>* fact : {&device.name, &device.device_id, &device.vendor_id}) {
        if (fact->known()) {
            return *fact;
        }
    }
    return Known<std::string>(gpu.name, Source{gpu.address, 0, gpu.name});
}

}  // namespace whygpu
