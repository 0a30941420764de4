#pragma once

#include <string>
#include <vector>

#include "base/version.h"

namespace whygpu {

/// The GPU code that a build carries: native code ("sm_86", "sm_90a", "sm_120f") and PTX
/// ("compute_120"). An entry in the other list counts by its own prefix, so that the output of
/// torch.cuda.get_arch_list may go into `sm` as it is.
struct WheelCode {
    std::vector<std::string> sm;
    std::vector<std::string> ptx;
    std::string confidence;
    std::string source;  ///< keys of table sources, comma-separated
};

enum class CodeFit {
    native,   ///< native code that the GPU runs
    ptx,      ///< PTX only: the driver compiles it if its CUDA is at least that of the toolkit
    none,     ///< the GPU cannot run this build: "no kernel image is available"
    unknown,  ///< nothing is known about the build's code
};

/// Whether a build has code for a compute capability. Native code of X.y runs on X.z with z ≥ y,
/// never on another major; never between desktop and Jetson chips, nor between Jetson chips.
CodeFit code_fit(const WheelCode& code, const Version& compute_capability);

/// The capability of a target: "sm_90a" → 9.0, "compute_120" → 12.0; no parts when it is no target.
Version capability_of_target(std::string_view target);

/// Compute capabilities of Jetson (Tegra) chips, whose native code is theirs alone.
bool is_jetson_capability(const Version& compute_capability);

}  // namespace whygpu
