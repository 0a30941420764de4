#include <cstddef>
#include <cstring>
#include <string>

#include "scenario.h"

// A libamdhip64.so whose devices are host memory. With OLD_SYMBOLS it is that of ROCm 5: the properties by
// their old name and in their old layout.
//
// Keys besides those of scenario.h: hip.version, device.count, hip.device.count,
// device.N.{name,gfx,memory,pci}, copy.wrong, hip.error_name.

namespace fake = whygpu::fake;

namespace {

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int not_initialized = 3;
constexpr int invalid_device = 101;
constexpr std::size_t device_memory_bytes = 1U << 16U;

unsigned char device_memory[device_memory_bytes];
bool initialised = false;

int device_count() {
    return static_cast<int>(fake::number("hip.device.count", fake::number("device.count", 1)));
}

int enter(const char* call, int device = -1) {
    const int code = fake::enter("hip", call, device);
    if (code != success) {
        return code;
    }
    if (!initialised) {
        return not_initialized;
    }
    return device < device_count() ? success : invalid_device;
}

int version(const char* call, int* value) {
    const int code = fake::enter("hip", call);
    *value = static_cast<int>(fake::number("hip.version", 60241134));
    return code;
}

std::string name_of(int device) {
    return fake::device_text(device, "name", "AMD Fake GPU");
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int hipInit(unsigned int flags) {
    const int code = fake::enter("hip", "hipInit");
    const int wanted = static_cast<int>(fake::number("hip.init", code));
    initialised = wanted == success && flags == 0;
    return flags == 0 ? wanted : invalid_value;
}

EXPORT int hipDriverGetVersion(int* value) {
    return version("hipDriverGetVersion", value);
}

EXPORT int hipRuntimeGetVersion(int* value) {
    return version("hipRuntimeGetVersion", value);
}

EXPORT int hipGetDeviceCount(int* count) {
    const int code = enter("hipGetDeviceCount");
    *count = code == success ? device_count() : 0;
    return code;
}

EXPORT int hipDeviceGet(int* device, int index) {
    const int code = enter("hipDeviceGet", index);
    *device = index;
    return code;
}

EXPORT int hipDeviceGetName(char* name, int size, int device) {
    const int code = enter("hipDeviceGetName", device);
    return code != success || fake::copy_text(name_of(device), name, static_cast<std::size_t>(size))
               ? code
               : invalid_value;
}

EXPORT int hipDeviceTotalMem(std::size_t* bytes, int device) {
    const int code = enter("hipDeviceTotalMem", device);
    *bytes = static_cast<std::size_t>(fake::device_number(device, "memory", 17163091968));
    return code;
}

EXPORT int hipDeviceGetPCIBusId(char* address, int size, int device) {
    const int code = enter("hipDeviceGetPCIBusId", device);
    const std::string text = fake::device_text(device, "pci", "0000:03:00.0");
    return code != success || fake::copy_text(text, address, static_cast<std::size_t>(size)) ? code
                                                                                             : invalid_value;
}

#ifdef OLD_SYMBOLS
#define PROPERTIES hipGetDeviceProperties
constexpr std::size_t gfx_at = 640;
#else
#define PROPERTIES hipGetDevicePropertiesR0600
constexpr std::size_t gfx_at = 1160;
#endif

// A name that holds "gfx" must not be taken for the target.
EXPORT int PROPERTIES(void* properties, int device) {
    const int code = enter("hipGetDevicePropertiesR0600", device);
    if (code == success) {
        char* bytes = static_cast<char*>(properties);
        fake::copy_text("gfx wonder", bytes, 256);
        fake::copy_text(fake::device_text(device, "gfx", "gfx1100"), bytes + gfx_at, 256);
    }
    return code;
}

EXPORT int hipMalloc(void** pointer, std::size_t bytes) {
    const int code = enter("hipMalloc");
    *pointer = device_memory;
    return code != success || bytes <= device_memory_bytes ? code : 2;
}

EXPORT int hipMemcpy(void* to, const void* from, std::size_t bytes, int direction) {
    const int code = enter("hipMemcpy");
    const void* device_side = direction == 1 ? to : from;
    if (code != success || device_side != device_memory || (direction != 1 && direction != 2)) {
        return code != success ? code : invalid_value;
    }
    std::memcpy(to, from, bytes);
    if (direction == 2 && fake::number("copy.wrong", 0) != 0) {
        static_cast<unsigned char*>(to)[bytes - 1] ^= 0x10;
    }
    return success;
}

EXPORT int hipFree(void* pointer) {
    const int code = enter("hipFree");
    return code != success || pointer == device_memory ? code : invalid_value;
}

EXPORT const char* hipGetErrorName(int) {
    static const std::string text = fake::text("hip.error_name", "hipErrorFromTheFuture");
    return text.c_str();
}
