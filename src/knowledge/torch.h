#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "knowledge/gpu_code.h"

namespace whygpu {

class Knowledge;

// Platforms are "linux_x86_64", "linux_aarch64" and "windows"; their wheels differ in GPU code under
// one version and tag.

/// The GPU code of a published wheel: torch 2.6.0 and tag "cu124". Empty when there is no such wheel
/// or its list was not read.
std::optional<WheelCode> torch_wheel_code(const Knowledge& tables, const Version& torch_release,
                                          std::string_view tag, std::string_view platform);

/// The CUDA that a wheel was built with: 2.13 and "cu130" → 13.0.2.
std::optional<Version> torch_wheel_cuda(const Knowledge& tables, const Version& torch_release,
                                        std::string_view tag);

/// The cuDNN that a wheel brings or pins; empty when not known or disputed.
std::optional<Version> torch_wheel_cudnn(const Knowledge& tables, const Version& torch_release,
                                         std::string_view tag);

/// The tags of a series ("2.8", or any release of it) whose wheel has native code or PTX for a compute
/// capability, newest CUDA first.
std::vector<std::string> tags_with_code(const Knowledge& tables, const Version& torch_series,
                                        const Version& compute_capability, std::string_view platform);

/// A torch to install.
struct WheelChoice {
    Version torch;
    std::string tag;
    std::string torchvision;  ///< the release that goes with it, "" when there is none known
    std::string index_form;   ///< index_url, extra_index_url or find_links: how pip is told
    std::string index_path;   ///< path on download.pytorch.org: "whl/cu128"
    Version cuda;             ///< what the wheel was built with
};

/// The newest published release, and its best tag, that has code for a compute capability, libraries
/// for it (cuDNN), runs on the driver and has wheels for the Python (3.11); a driver or Python that is
/// not given excludes nothing. Among the tags of a release: what plain pip would install if the driver
/// serves it in full, else the newest CUDA that the driver serves in full, else the newest that it runs.
std::optional<WheelChoice> newest_torch_for(const Knowledge& tables, const Version& compute_capability,
                                            const std::optional<Version>& driver, std::string_view platform,
                                            const std::optional<Version>& python);

/// The torchvision that goes with a torch release; "" when none is known.
std::string torchvision_for(const Knowledge& tables, const Version& torch_release);

/// The same for torchaudio.
std::string torchaudio_for(const Knowledge& tables, const Version& torch_release);

}  // namespace whygpu
