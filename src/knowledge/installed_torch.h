#pragma once

#include <optional>
#include <string>

#include "base/version.h"
#include "knowledge/torch.h"

namespace whygpu {

class Knowledge;
struct Facts;

/// The PyTorch of the default Python as a wheel of the tables.
struct InstalledTorch {
    std::string version_text;  ///< as it says of itself: "2.6.0+cu124"
    PythonVersion version;
    std::string tag;  ///< "cu124", from the local version or from its CUDA; "" for CPU and ROCm builds
    std::optional<Version> cuda;
    std::optional<WheelCode> code;  ///< empty: not one of the published wheels that the tables know
};

/// Empty when no PyTorch was found, its version cannot be read, or whether it has CUDA is not known.
std::optional<InstalledTorch> installed_torch(const Facts& facts, const Knowledge& tables);

/// "linux_x86_64" or "linux_aarch64", as the torch tables call platforms; "" for other machines.
std::string torch_platform(const Facts& facts);

/// The newest torch for this machine's driver and Python and a compute capability.
std::optional<WheelChoice> torch_for_machine(const Facts& facts, const Knowledge& tables,
                                             const Version& compute_capability);

/// The version of the NVIDIA kernel driver: NVML's answer, else /proc's.
std::optional<Version> driver_version_of(const Facts& facts);

}  // namespace whygpu
