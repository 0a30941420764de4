#pragma once

#include <optional>

#include "base/version.h"

namespace whygpu {

class Knowledge;

/// Major version of the newest GCC that nvcc of a toolkit takes: 12.4 → 13. Empty for toolkits before
/// the table and where it is not known.
std::optional<int> newest_gcc_for_nvcc(const Knowledge& tables, const Version& toolkit);

}  // namespace whygpu
