#pragma once

#include <string_view>

namespace whygpu {

/// Whether a variable steers GPU software, by prefix rather than name: a misspelt one
/// (CUDA_VISBLE_DEVICES) is what a rule wants to see. False for whatever may hold a secret. The one list for
/// the environment probe and for what a redacted snapshot keeps.
bool steers_gpu_software(std::string_view name);

}  // namespace whygpu
