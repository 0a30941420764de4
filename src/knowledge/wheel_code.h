#pragma once

#include <map>
#include <string>
#include <vector>

#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"

namespace whygpu {

/// The GPU code of the installed PyTorch against the NVIDIA GPUs of this machine.
struct WheelCheck {
    enum class Kind {
        no_cuda_torch,  ///< no PyTorch, or a build without CUDA: not this question
        unknown,        ///< the code of this build, or every GPU's compute capability, is not known
        fits,           ///< at least one GPU has code: an older display card beside it is no fault
        gap,            ///< no GPU has code
    };
    Kind kind = Kind::unknown;
    std::vector<Gpu> too_new;  ///< newer than everything in the wheel
    std::vector<Gpu> too_old;  ///< older than everything in the wheel
    std::optional<InstalledTorch> torch;
    std::string code_text;  ///< "sm_50 sm_60 … sm_90, PTX compute_90"
};

/// Compares the installed PyTorch with every capable NVIDIA GPU of this machine.
WheelCheck check_wheel_code(const Facts& facts, const Knowledge& tables);

/// The placeholders that both findings about it use: gpu, capability, torch, code, and torch_advice.
std::map<std::string, std::string> wheel_code_args(const WheelCheck& check, const Gpu& gpu,
                                                   const Facts& facts, const Knowledge& tables);

}  // namespace whygpu
