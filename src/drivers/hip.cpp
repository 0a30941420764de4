#include "drivers/hip.h"

#include <array>
#include <cstring>

#include "base/text.h"
#include "drivers/driver.h"
#include "drivers/library.h"
#include "drivers/names.h"
#include "drivers/nodes.h"

// Types of the HIP runtime: hipError_t and hipDevice_t are int, sizes are size_t. The structure of
// hipGetDeviceProperties changed with ROCm 6 (hence the suffix R0600) and grows from release to release. Only
// the gfx target is taken from it, and that by its form, not by its place. Source: hip_runtime_api.h.

namespace whygpu {

namespace {

constexpr int max_devices = 64;
constexpr int wrong_result = -1;
constexpr int host_to_device = 1;
constexpr int device_to_host = 2;
constexpr std::size_t name_bytes = 256;  // the name stands in front in every version of the structure

// Newest first. ROCm's own directory is not in the loader's cache of every installation.
constexpr std::array library_names = {
    "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "/opt/rocm/lib/libamdhip64.so",
    "libamdhip64.so",
};

std::string library_code_name(void* library, int code) {
    using Explain = const char*(int);
    void* explain = find_symbol(library, "hipGetErrorName");
    const char* text = explain != nullptr ? reinterpret_cast<Explain*>(explain)(code) : nullptr;
    return text != nullptr ? text : "";
}

// Of hipInit's kind: HIP_VERSION = major * 10^7 + minor * 10^5 + patch.
void ask_version(Driver& hip, const char* name) {
    int version = 0;
    hip.call<int(int*)>(
        {name}, [&](auto* function) { return function(&version); },
        [&](Json& line) { line.set("version", version); });
}

void ask_device_text(Driver& hip, const Call& what, const char* key, int handle) {
    std::array<char, 256> buffer{};
    hip.call<int(char*, int, int)>(
        what,
        [&](auto* function) { return function(buffer.data(), static_cast<int>(buffer.size()) - 1, handle); },
        [&](Json& line) {
            const std::string text(buffer.data(), strnlen(buffer.data(), buffer.size()));
            line.set(key, std::string_view(key) == "pci_address" ? kernel_pci_address(text) : text);
        });
}

void ask_memory(Driver& hip, int index, int handle) {
    std::size_t bytes = 0;
    hip.call<int(std::size_t*, int)>(
        {.name = "hipDeviceTotalMem", .device = index},
        [&](auto* function) { return function(&bytes, handle); },
        [&](Json& line) { line.set("bytes", static_cast<std::int64_t>(bytes)); });
}

// "gfx90a:sramecc+:xnack-" out of the structure; empty when there is none.
std::string gfx_in(std::string_view structure) {
    for (std::size_t at = structure.find("gfx", name_bytes); at != std::string_view::npos;
         at = structure.find("gfx", at + 1)) {
        const std::string_view text = structure.substr(at, structure.find('\0', at) - at);
        const std::string_view target = text.substr(0, text.find(':'));
        const bool number = target.substr(3).find_first_not_of("0123456789abcdef") == std::string_view::npos;
        if (number && target.size() >= 6 && target.size() <= 8 && text.size() < name_bytes) {
            return std::string(text);
        }
    }
    return "";
}

void ask_gfx(Driver& hip, int index) {
    // Several times the size of today's structure.
    std::array<char, 16384> structure{};
    hip.call<int(void*, int)>(
        {"hipGetDeviceProperties", {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"}, index},
        [&](auto* function) { return function(structure.data(), index); },
        [&](Json& line) {
            const std::string target = gfx_in({structure.data(), structure.size()});
            const std::size_t colon = std::min(target.find(':'), target.size());
            line.set("gfx", target.substr(0, colon));
            line.set("features", colon < target.size() ? target.substr(colon + 1) : "");
        });
}

void ask_device(Driver& hip, int index) {
    int handle = 0;
    const std::optional<int> found = hip.call<int(int*, int)>(
        {.name = "hipDeviceGet", .device = index}, [&](auto* function) { return function(&handle, index); });
    if (found != 0) {
        return;
    }
    ask_device_text(hip, {.name = "hipDeviceGetName", .device = index}, "device_name", handle);
    ask_gfx(hip, index);
    ask_memory(hip, index, handle);
    ask_device_text(hip, {.name = "hipDeviceGetPCIBusId", .device = index}, "pci_address", handle);
}

using Words = std::array<std::uint32_t, 1024>;

std::optional<int> copy(Driver& hip, void* to, const void* from, int direction) {
    return hip.call<int(void*, const void*, std::size_t, int)>(
        {"hipMemcpy"}, [&](auto* function) { return function(to, from, sizeof(Words), direction); });
}

std::optional<int> check_copy(Driver& hip, void* memory) {
    Words sent{};
    for (std::size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<std::uint32_t>(i + 1) * 2654435761U;
    }
    Words received{};
    const std::optional<int> there = copy(hip, memory, sent.data(), host_to_device);
    if (there != 0) {
        return there;
    }
    const std::optional<int> back = copy(hip, received.data(), memory, device_to_host);
    if (back != 0) {
        return back;
    }
    return sent == received ? 0 : wrong_result;
}

// On device 0, which is the current one of a new process.
void ask_to_copy(Driver& hip) {
    void* memory = nullptr;
    const std::optional<int> allocated = hip.call<int(void**, std::size_t)>(
        {"hipMalloc"}, [&](auto* function) { return function(&memory, sizeof(Words)); });
    if (allocated != 0) {
        hip.conclude("copy_check", allocated);
        return;
    }
    hip.conclude("copy_check", check_copy(hip, memory));
    hip.call<int(void*)>({"hipFree"}, [&](auto* function) { return function(memory); });
}

bool open_library(Driver& hip) {
    for (const char* name : library_names) {
        if (hip.open(name)) {
            return true;
        }
    }
    return false;
}

}  // namespace

void ask_hip(const Reply& reply) {
    Driver hip(reply, {hip_code_name, library_code_name});
    if (!open_library(hip)) {
        return;
    }
    const std::optional<int> started =
        hip.call<int(unsigned int)>({"hipInit"}, [](auto* function) { return function(0); });
    ask_version(hip, "hipDriverGetVersion");
    ask_version(hip, "hipRuntimeGetVersion");
    if (started != 0) {
        report_nodes(reply, "amd");
        return;
    }
    int count = 0;
    hip.call<int(int*)>(
        {"hipGetDeviceCount"}, [&](auto* function) { return function(&count); },
        [&](Json& line) { line.set("count", count); });
    for (int index = 0; index < count && index < max_devices; ++index) {
        ask_device(hip, index);
    }
    if (count > 0) {
        ask_to_copy(hip);
    }
}

}  // namespace whygpu
