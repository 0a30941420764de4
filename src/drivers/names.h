#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

/// The name of a CUresult, "CUDA_ERROR_NO_DEVICE"; empty for a code that whygpu does not know.
std::string_view cuda_code_name(int code);

/// The name of an nvmlReturn_t, "NVML_ERROR_DRIVER_NOT_LOADED"; empty for a code that whygpu does not know.
std::string_view nvml_code_name(int code);

/// The name of a hipError_t, "hipErrorNoDevice"; empty for a code that whygpu does not know.
std::string_view hip_code_name(int code);

/// The name of an OpenCL code, "CL_DEVICE_NOT_FOUND"; empty for a code that whygpu does not know.
std::string_view opencl_code_name(int code);

/// The clock-event reasons set in NVML's mask, "sw-power-cap", lowest bit first; "bit-9" for a bit
/// without a name here; empty when the clock is not held back.
std::vector<std::string> clock_reason_names(std::uint64_t mask);

/// A PCI address as the kernel writes it, "0000:01:00.0", from the spellings of CUDA and NVML
/// ("00000000:01:00.0", upper case); other text comes back in lower case.
std::string kernel_pci_address(std::string_view text);

}  // namespace whygpu
