#include "host/variable_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace whygpu {

namespace {

constexpr std::array<std::string_view, 36> prefixes = {
    "CUDA",       "CUBLAS",    "CUDNN",       "CUPY_",       "NVIDIA_", "NV_",     "NVCC_",
    "NCCL_",      "TORCH",     "PYTORCH",     "TF_",         "XLA_",    "JAX_",    "PJRT_",
    "KERAS_",     "TRITON_",   "FLASH_ATTN_", "NUMBA_",      "HIP_",    "HIPBLAS", "ROCR_",
    "ROCM",       "ROCBLAS",   "HSA_",        "GPU_",        "AMD_",    "MIOPEN_", "OMP_",
    "MKL_",       "OPENBLAS_", "KMP_",        "ACCELERATE_", "BNB_",    "VLLM_",   "DS_ACCELERATOR",
    "SLURM_GPUS",
};

// RANK and its like are looked at whole: as prefixes they would catch other people's variables.
constexpr std::array<std::string_view, 20> names = {
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "WSL_DISTRO_NAME",
    "SLURM_JOB_GPUS",
    "SLURM_STEP_GPUS",
    "SLURM_JOB_ID",
    "TOKENIZERS_PARALLELISM",
    "LOCAL_RANK",
    "RANK",
    "WORLD_SIZE",
    "LOCAL_WORLD_SIZE",
    "DISABLE_ADDMM_CUDA_LT",
    "USE_CUDA",
    "COLAB_GPU",
    "COLAB_RELEASE_TAG",
    "KAGGLE_KERNEL_RUN_TYPE",
    "SLURM_JOB_PARTITION",
    "COLAB_TPU_1VM",
};

// Keys of web services (NVIDIA_API_KEY) and Terraform's variables (TF_VAR_…, TF_TOKEN_…) share our
// prefixes. Nothing of them is kept, not even to be redacted later.
bool may_be_secret(std::string_view low) {
    for (const std::string_view start : {"tf_var_", "tf_token_", "tf_cli_"}) {
        if (low.starts_with(start)) {
            return true;
        }
    }
    for (const std::string_view end : {"_key", "_token", "_auth"}) {
        if (low.ends_with(end)) {
            return true;
        }
    }
    return contains(low, "secret") || contains(low, "password") || contains(low, "credential");
}

}  // namespace

// In any case of letters: `cuda_visible_devices` is a mistake worth seeing.
bool steers_gpu_software(std::string_view name) {
    const std::string low = lower(name);
    if (may_be_secret(low)) {
        return false;
    }
    const auto starts = [&](std::string_view prefix) { return low.starts_with(lower(prefix)); };
    return std::ranges::find(names, name) != names.end() || contains(low, "visible_device") ||
           std::ranges::any_of(prefixes, starts);
}

}  // namespace whygpu
