#include <cstdint>
#include <cstring>
#include <string>

#include "scenario.h"

// A libOpenCL.so.1. Keys besides those of scenario.h: opencl.platforms, opencl.platform.N (its name),
// opencl.devices.N (how many devices it has), device.N.{name,type,vendor,version,memory} with N counted over
// all platforms; type is OpenCL's bit, 2 a processor, 4 a GPU.

namespace fake = whygpu::fake;

namespace {

constexpr int success = 0;
constexpr int device_not_found = -1;
constexpr int invalid_value = -30;
constexpr int no_platform = -1001;
constexpr long max_things = 64;

// Handles are addresses of these: platforms in front, devices behind.
char things[2 * max_things];

long place_of(const void* handle) {
    return static_cast<const char*>(handle) - things;
}

long devices_of(long platform) {
    return static_cast<long>(fake::number("opencl.devices." + std::to_string(platform), 1));
}

int give(const std::string& text, std::size_t size, void* value) {
    return fake::copy_text(text, static_cast<char*>(value), size) ? success : invalid_value;
}

int give(long long number, std::size_t size, void* value) {
    const std::uint64_t word = static_cast<std::uint64_t>(number);
    if (size != sizeof(word)) {
        return invalid_value;
    }
    std::memcpy(value, &word, sizeof(word));
    return success;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int clGetPlatformIDs(unsigned int room, void** handles, unsigned int* count) {
    const int code = fake::enter("opencl", "clGetPlatformIDs");
    const long platforms = static_cast<long>(fake::number("opencl.platforms", 1));
    if (code != success || platforms == 0) {
        return code != success ? code : no_platform;
    }
    for (long i = 0; i < platforms && i < static_cast<long>(room) && i < max_things; ++i) {
        handles[i] = things + i;
    }
    *count = static_cast<unsigned int>(platforms);
    return success;
}

EXPORT int clGetPlatformInfo(void* platform, unsigned int which, std::size_t size, void* value,
                             std::size_t*) {
    const int code = fake::enter("opencl", "clGetPlatformInfo");
    const std::string key = "opencl.platform." + std::to_string(place_of(platform));
    return code != success || which != 0x0902 ? code : give(fake::text(key, "Fake Platform"), size, value);
}

EXPORT int clGetDeviceIDs(void* platform, std::uint64_t, unsigned int room, void** handles,
                          unsigned int* count) {
    const int code = fake::enter("opencl", "clGetDeviceIDs");
    const long own = devices_of(place_of(platform));
    if (code != success || own == 0) {
        return code != success ? code : device_not_found;
    }
    long first = 0;
    for (long i = 0; i < place_of(platform); ++i) {
        first += devices_of(i);
    }
    for (long i = 0; i < own && i < static_cast<long>(room); ++i) {
        handles[i] = things + max_things + first + i;
    }
    *count = static_cast<unsigned int>(own);
    return success;
}

EXPORT int clGetDeviceInfo(void* handle, unsigned int which, std::size_t size, void* value, std::size_t*) {
    const int device = static_cast<int>(place_of(handle) - max_things);
    const int code = fake::enter("opencl", "clGetDeviceInfo", device);
    if (code != success) {
        return code;
    }
    switch (which) {
        case 0x1000:
            return give(fake::device_number(device, "type", 4), size, value);
        case 0x101F:
            return give(fake::device_number(device, "memory", 17163091968), size, value);
        case 0x102B:
            return give(fake::device_text(device, "name", "Fake Device"), size, value);
        case 0x102C:
            return give(fake::device_text(device, "vendor", "Fake Vendor"), size, value);
        case 0x102D:
            return give(fake::device_text(device, "version", "1.0"), size, value);
        default:
            return invalid_value;
    }
}
