#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "scenario.h"

// A libcuda.so.1 whose devices are host memory. It keeps the rules that matter to its callers: calls
// before cuInit give 3, work without a context gives 201, a kernel that was not launched leaves its
// output untouched. It knows one kernel, out[i] = in[i] * 2 + 1.
//
// With OLD_SYMBOLS it has what a driver of the CUDA 3 age had: no name ends in _v2, 32-bit sizes and
// device pointers, and no cuLaunchKernel, cuGetErrorName or cuDeviceGetPCIBusId.
//
// Keys besides those of scenario.h: cuda.driver_version, device.count, cuda.device.count,
// device.N.{name,cc,memory,pci}, copy.wrong, kernel.wrong, cuda.error_name.

namespace fake = whygpu::fake;

namespace {

#ifdef OLD_SYMBOLS
using Size = unsigned int;
using Pointer = unsigned int;
#define VERSIONED(name) name
#else
using Size = std::size_t;
using Pointer = std::uint64_t;
#define VERSIONED(name) name##_v2
#endif

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int not_initialized = 3;
constexpr int invalid_device = 101;
constexpr int invalid_image = 200;
constexpr int invalid_context = 201;
constexpr int not_found = 500;

constexpr std::size_t device_memory_bytes = 1U << 16U;
alignas(16) unsigned char device_memory[device_memory_bytes];
// Addresses fit in 32 bits, as old drivers need.
constexpr std::uint64_t base_address = 0x10000;

bool initialised = false;
bool has_context = false;
bool allocated = false;
bool module_loaded = false;
bool launched = false;

int device_count() {
    return static_cast<int>(fake::number("cuda.device.count", fake::number("device.count", 1)));
}

int enter(const char* call, int device = -1) {
    const int code = fake::enter("cuda", call, device);
    if (code != success) {
        return code;
    }
    if (!initialised) {
        return not_initialized;
    }
    return device < device_count() ? success : invalid_device;
}

int enter_in_context(const char* call) {
    const int code = enter(call);
    return code == success && !has_context ? invalid_context : code;
}

unsigned char* at(Pointer address, std::size_t bytes) {
    const bool inside =
        allocated && address >= base_address && address - base_address + bytes <= device_memory_bytes;
    return inside ? device_memory + (address - base_address) : nullptr;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cuDriverGetVersion(int* version) {
    const int code = fake::enter("cuda", "cuDriverGetVersion");
    *version = static_cast<int>(fake::number("cuda.driver_version", 12080));
    return code;
}

EXPORT int cuInit(unsigned int flags) {
    const int code = fake::enter("cuda", "cuInit");
    const int wanted = static_cast<int>(fake::number("cuda.init", code));
    if (flags != 0) {
        return invalid_value;
    }
    initialised = wanted == success;
    return wanted;
}

EXPORT int cuDeviceGetCount(int* count) {
    const int code = enter("cuDeviceGetCount");
    *count = code == success ? device_count() : 0;
    return code;
}

EXPORT int cuDeviceGet(int* device, int index) {
    const int code = enter("cuDeviceGet", index);
    *device = index;
    return code;
}

EXPORT int cuDeviceGetName(char* name, int size, int device) {
    const int code = enter("cuDeviceGetName", device);
    const std::string text = fake::device_text(device, "name", "NVIDIA Fake GPU");
    return code != success || fake::copy_text(text, name, static_cast<std::size_t>(size)) ? code
                                                                                          : invalid_value;
}

EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
    const int code = enter("cuDeviceGetAttribute", device);
    const fake::Capability capability = fake::device_capability(device);
    if (code != success || (attribute != 75 && attribute != 76)) {
        return code != success ? code : invalid_value;
    }
    *value = attribute == 75 ? capability.major : capability.minor;
    return success;
}

EXPORT int VERSIONED(cuDeviceTotalMem)(Size* bytes, int device) {
    const int code = enter("cuDeviceTotalMem_v2", device);
    *bytes = static_cast<Size>(fake::device_number(device, "memory", 2147483648));
    return code;
}

EXPORT int VERSIONED(cuCtxCreate)(void** context, unsigned int flags, int device) {
    const int code = enter("cuCtxCreate_v2", device);
    if (code != success || flags != 0) {
        return code != success ? code : invalid_value;
    }
    *context = &has_context;
    has_context = true;
    return success;
}

EXPORT int VERSIONED(cuCtxDestroy)(void* context) {
    const int code = enter_in_context("cuCtxDestroy_v2");
    has_context = has_context && context != &has_context;
    return code;
}

EXPORT int VERSIONED(cuMemAlloc)(Pointer* pointer, Size bytes) {
    const int code = enter_in_context("cuMemAlloc_v2");
    if (code != success || bytes > device_memory_bytes) {
        return code != success ? code : 2;
    }
    std::memset(device_memory, 0xee, sizeof(device_memory));
    allocated = true;
    *pointer = base_address;
    return success;
}

EXPORT int VERSIONED(cuMemFree)(Pointer pointer) {
    const int code = enter_in_context("cuMemFree_v2");
    if (code == success && (pointer != base_address || !allocated)) {
        return invalid_value;
    }
    allocated = false;
    return code;
}

EXPORT int VERSIONED(cuMemcpyHtoD)(Pointer there, const void* data, Size bytes) {
    const int code = enter_in_context("cuMemcpyHtoD_v2");
    unsigned char* memory = at(there, bytes);
    if (code != success || memory == nullptr) {
        return code != success ? code : invalid_value;
    }
    std::memcpy(memory, data, bytes);
    return success;
}

EXPORT int VERSIONED(cuMemcpyDtoH)(void* data, Pointer there, Size bytes) {
    const int code = enter_in_context("cuMemcpyDtoH_v2");
    const unsigned char* memory = at(there, bytes);
    if (code != success || memory == nullptr) {
        return code != success ? code : invalid_value;
    }
    std::memcpy(data, memory, bytes);
    if (fake::number("copy.wrong", 0) != 0 && bytes > 0) {
        static_cast<unsigned char*>(data)[bytes - 1] ^= 0x10;
    }
    return success;
}

EXPORT int cuModuleLoadData(void** module, const void* image) {
    const int code = enter_in_context("cuModuleLoadData");
    // A driver that may keep what it compiles would write to the user's home.
    const char* cache_disabled = std::getenv("CUDA_CACHE_DISABLE");
    const bool ptx = std::strstr(static_cast<const char*>(image), ".version") != nullptr;
    if (code != success || !ptx || cache_disabled == nullptr) {
        return code != success ? code : invalid_image;
    }
    module_loaded = true;
    *module = const_cast<void*>(image);
    return success;
}

EXPORT int cuModuleUnload(void*) {
    const int code = enter_in_context("cuModuleUnload");
    module_loaded = false;
    return code;
}

EXPORT int cuModuleGetFunction(void** function, void* module, const char* name) {
    const int code = enter_in_context("cuModuleGetFunction");
    const std::string entry = std::string(".entry ") + name + "(";
    const bool found =
        module_loaded && std::strstr(static_cast<const char*>(module), entry.c_str()) != nullptr;
    if (code != success || !found) {
        return code != success ? code : not_found;
    }
    *function = &launched;
    return success;
}

EXPORT int cuCtxSynchronize() {
    return enter_in_context("cuCtxSynchronize");
}

#ifndef OLD_SYMBOLS

EXPORT int cuDeviceGetPCIBusId(char* address, int size, int device) {
    const int code = enter("cuDeviceGetPCIBusId", device);
    const std::string otherwise = "0000:0" + std::to_string(device + 1) + ":00.0";
    const std::string text = fake::device_text(device, "pci", otherwise);
    return code != success || fake::copy_text(text, address, static_cast<std::size_t>(size)) ? code
                                                                                             : invalid_value;
}

EXPORT int cuLaunchKernel(void* function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                          unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int,
                          void*, void** parameters, void**) {
    const int code = enter_in_context("cuLaunchKernel");
    if (code != success || function != &launched) {
        return code != success ? code : 400;
    }
    const std::size_t threads = std::size_t{grid_x} * grid_y * grid_z * block_x * block_y * block_z;
    const std::size_t bytes = threads * sizeof(std::uint32_t);
    const unsigned char* input = at(*static_cast<Pointer*>(parameters[0]), bytes);
    unsigned char* output = at(*static_cast<Pointer*>(parameters[1]), bytes);
    if (input == nullptr || output == nullptr) {
        return 700;
    }
    const std::uint32_t error = fake::number("kernel.wrong", 0) != 0 ? 1 : 0;
    for (std::size_t i = 0; i < threads; ++i) {
        std::uint32_t value = 0;
        std::memcpy(&value, input + i * sizeof(value), sizeof(value));
        value = value * 2 + 1 + error;
        std::memcpy(output + i * sizeof(value), &value, sizeof(value));
    }
    return success;
}

EXPORT int cuGetErrorName(int code, const char** name) {
    static const std::string text = fake::text("cuda.error_name");
    fake::enter("cuda", "cuGetErrorName");
    *name = text.c_str();
    return code == success ? invalid_value : success;
}

#endif
