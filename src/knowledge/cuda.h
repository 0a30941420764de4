#pragma once

#include <optional>

#include "base/version.h"

namespace whygpu {

class Knowledge;

/// The newest CUDA runtime that a driver of that version serves in full (what nvidia-smi prints),
/// by its branch or the nearest older one in the table. Empty for drivers older than the table.
std::optional<Version> cuda_served_by_driver(const Knowledge& tables, const Version& driver);

/// The Linux driver that came with a CUDA runtime: 12.4 → 550.54.14, 12.4.1 → 550.54.15; a patch
/// number that is no update ("12.4.127") counts as the first release. Empty when it was not published.
std::optional<Version> minimum_driver(const Knowledge& tables, const Version& cuda_runtime);

/// The oldest Linux driver that runs programs of a CUDA major version at all, with native code only:
/// 12 → 525.60.13. Empty before CUDA 11, which has no such compatibility, and for unknown majors.
std::optional<Version> minor_compatibility_minimum(const Knowledge& tables, int cuda_major);

/// How a driver fits a CUDA runtime.
struct DriverFit {
    enum class Kind {
        full,                 ///< everything works
        minor_compatibility,  ///< native code runs; PTX of the newer toolkit and new features do not
        too_old,              ///< cuInit or the first call fails with code 35
        unknown,              ///< the tables cannot tell
    };
    Kind kind = Kind::unknown;
    /// The driver for full service (minor_compatibility) or to run at all (too_old); may be a branch
    /// only ("615"). No parts otherwise, and when it is not known.
    Version needed;
};

/// Forward-compatibility packages (data-centre cards) are not considered.
DriverFit driver_fit(const Knowledge& tables, const Version& driver, const Version& cuda_runtime);

}  // namespace whygpu
