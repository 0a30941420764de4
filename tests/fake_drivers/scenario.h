#pragma once

#include <cstddef>
#include <string>

// What the fake libraries answer comes from a scenario: a text file of "key = value" lines, '#' starts
// a comment, named by the environment variable WHYGPU_FAKE_SCENARIO. Without one, or for keys that it
// does not set, a healthy machine with one GPU answers.
//
//   cuda.init = 100                    code of cuInit; likewise nvml.init
//   cuda.code.cuMemAlloc = 2           code of any call; with ".1" at the end only for device 1
//   cuda.crash_in = cuInit             that call dies of SIGSEGV; likewise hang_in and exit_in
//   nvml.not_supported = nvmlDeviceGetPowerUsage, nvmlDeviceGetEccMode
//
// Calls are named with or without their version suffix.

namespace whygpu::fake {

/// The value of a key, or `otherwise`.
std::string text(const std::string& key, const std::string& otherwise = "");

/// The value of a key as a number; `otherwise` when it is not set or no number.
long long number(const std::string& key, long long otherwise);

/// Whether a comma-separated list holds a call.
bool listed(const std::string& key, const std::string& call);

/// To be called first in every fake function: crashes, hangs or exits if the scenario says so, else
/// returns the code that it wants (0 by default). `device` is -1 for calls about none.
int enter(const std::string& library, const std::string& call, int device = -1);

/// "device.3.name" of the scenario.
std::string device_text(int device, const std::string& what, const std::string& otherwise);
long long device_number(int device, const std::string& what, long long otherwise);

/// Major and minor of the key "cc", 9.0 when it is not set.
struct Capability {
    int major = 0;
    int minor = 0;
};
Capability device_capability(int device);

/// Copies a text into a caller's buffer as C functions do; false when it does not fit.
bool copy_text(const std::string& text, char* buffer, std::size_t size);

}  // namespace whygpu::fake
