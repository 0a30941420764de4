#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"

namespace whygpu {

class Knowledge;

/// Whether NVIDIA lists a cuDNN for a CUDA version, by the series' own row; empty when the tables do not say.
/// A row for all of a major ("12.x") serves every version of it.
std::optional<bool> cudnn_serves_cuda(const Knowledge& tables, const Version& cudnn, const Version& cuda);

/// Whether a cuDNN has code for a compute capability; empty for releases before 8.9, whose lists the
/// tables do not have.
std::optional<bool> cudnn_serves_capability(const Knowledge& tables, const Version& cudnn,
                                            const Version& compute_capability);

/// The soname of a major version, "libcudnn.so.9"; empty when it is not known.
std::string cudnn_soname(const Knowledge& tables, int major);

/// The libraries that a major version is made of, the one that programs link first; all of them must be of
/// one release. Empty when they are not known.
std::vector<std::string> cudnn_libraries(const Knowledge& tables, int major);

}  // namespace whygpu
