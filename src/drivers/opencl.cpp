#include "drivers/opencl.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "drivers/driver.h"
#include "drivers/names.h"

// The loader of OpenCL (libOpenCL.so.1) lists the platforms of every vendor whose file lies in
// /etc/OpenCL/vendors; loading them all is what takes time. Codes are negative; -1001 is the loader's own,
// for no platform at all. Source: cl.h and cl_icd.h of Khronos.

namespace whygpu {

namespace {

using Handle = void*;
using Number = unsigned int;
using Info = int(Handle, Number which, std::size_t size, void* value, std::size_t* used);

constexpr Number max_platforms = 16;
constexpr Number max_devices = 64;

constexpr Number platform_name = 0x0902;
constexpr Number device_type = 0x1000;
constexpr Number device_memory = 0x101F;
constexpr Number device_name = 0x102B;
constexpr Number device_vendor = 0x102C;
constexpr Number driver_version = 0x102D;
constexpr std::uint64_t all_types = 0xFFFFFFFF;

std::string no_text(void*, int) {
    return "";
}

// Bit 0 is set beside one of the others for the device that programs get when they do not choose.
const char* type_name(std::uint64_t type) {
    constexpr std::array<const char*, 4> names = {"cpu", "gpu", "accelerator", "custom"};
    for (std::size_t bit = 0; bit < names.size(); ++bit) {
        if (((type >> (bit + 1)) & 1U) != 0) {
            return names[bit];
        }
    }
    return "";
}

// A text of a platform or device; empty when it cannot be had.
std::string text_of(Info* info, Handle about, Number which) {
    std::array<char, 512> buffer{};
    if (info(about, which, buffer.size() - 1, buffer.data(), nullptr) != 0) {
        return "";
    }
    return {buffer.data(), strnlen(buffer.data(), buffer.size())};
}

// Not with braces, which would make a list of the two iterators: they are pointers to void pointers.
template <std::size_t size>
std::vector<Handle> known_of(const std::array<Handle, size>& handles, std::size_t known) {
    return std::vector<Handle>(handles.begin(), handles.begin() + known);
}

struct Platform {
    Handle handle = nullptr;
    std::string name;
};

void ask_device(Driver& cl, int index, Handle device, const std::string& platform) {
    std::uint64_t type = 0;
    std::uint64_t bytes = 0;
    std::string name;
    std::string vendor;
    std::string version;
    cl.call<Info>(
        {.name = "clGetDeviceInfo", .device = index},
        [&](auto* info) {
            const int code = info(device, device_type, sizeof(type), &type, nullptr);
            if (code != 0) {
                return code;
            }
            name = text_of(info, device, device_name);
            vendor = text_of(info, device, device_vendor);
            version = text_of(info, device, driver_version);
            info(device, device_memory, sizeof(bytes), &bytes, nullptr);
            return 0;
        },
        [&](Json& line) {
            line.set("type", type_name(type));
            line.set("device_name", name);
            line.set("platform", platform);
            line.set("vendor", vendor);
            line.set("driver_version", version);
            line.set("bytes", static_cast<std::int64_t>(bytes));
        });
}

std::vector<Handle> devices_of(Driver& cl, const Platform& platform) {
    std::array<Handle, max_devices> handles{};
    Number count = 0;
    const std::optional<int> code = cl.call<int(Handle, std::uint64_t, Number, Handle*, Number*)>(
        {"clGetDeviceIDs"},
        [&](auto* function) {
            return function(platform.handle, all_types, max_devices, handles.data(), &count);
        },
        [&](Json& line) { line.set("count", static_cast<std::int64_t>(count)); });
    const std::size_t known = code == 0 ? std::min(count, max_devices) : 0;
    return known_of(handles, known);
}

std::string name_of(Driver& cl, Handle platform) {
    std::string name;
    cl.call<Info>(
        {"clGetPlatformInfo"},
        [&](auto* info) {
            name = text_of(info, platform, platform_name);
            return 0;
        },
        [&](Json& line) { line.set("platform", name); });
    return name;
}

std::vector<Handle> platforms(Driver& cl) {
    std::array<Handle, max_platforms> handles{};
    Number count = 0;
    const std::optional<int> code = cl.call<int(Number, Handle*, Number*)>(
        {"clGetPlatformIDs"}, [&](auto* function) { return function(max_platforms, handles.data(), &count); },
        [&](Json& line) { line.set("count", static_cast<std::int64_t>(count)); });
    const std::size_t known = code == 0 ? std::min(count, max_platforms) : 0;
    return known_of(handles, known);
}

}  // namespace

void ask_opencl(const Reply& reply) {
    Driver cl(reply, {opencl_code_name, no_text});
    if (!cl.open("libOpenCL.so.1")) {
        return;
    }
    int index = 0;
    for (Handle handle : platforms(cl)) {
        const Platform platform{handle, name_of(cl, handle)};
        for (Handle device : devices_of(cl, platform)) {
            if (index < static_cast<int>(max_devices)) {
                ask_device(cl, index++, device, platform.name);
            }
        }
    }
    Json total = Json::object();
    total.set("call", "device_total");
    total.set("code", 0);
    total.set("count", index);
    reply.write(total);
}

}  // namespace whygpu
