#pragma once

// What the two halves of the fake NVML share.

namespace whygpu::fake {

using Number = unsigned int;

namespace nvml {

/// The index of the device that a handle stands for.
int index_of(void* handle);

/// To be called first: the code that the scenario wants, or that the library is not initialised.
int enter(const char* call, int device = -1);

/// The usual call: one number of one device.
int answer(const char* call, void* handle, Number* value, const char* key, long long otherwise);

}  // namespace nvml
}  // namespace whygpu::fake
