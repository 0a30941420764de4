#include "drivers/cuda.h"

#include <array>
#include <cstdlib>
#include <cstring>

#include "drivers/library.h"
#include "drivers/names.h"
#include "drivers/nodes.h"

// Types of the CUDA driver API, as of every release on Linux: CUresult, CUdevice and CUdevice_attribute
// are int; from the _v2 functions on sizes are size_t and device pointers 64 bits wide. The plain names
// of CUDA 3 and older take and fill 32 bits; on the little-endian machines that CUDA knows, a
// zero-initialised 64-bit variable serves them too. Source: cuda.h.

namespace whygpu {

namespace {

constexpr int max_devices = 64;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;

std::string library_code_name(void* library, int code) {
    using Explain = int(int, const char**);
    const char* text = nullptr;
    void* explain = find_symbol(library, "cuGetErrorName");
    if (explain == nullptr || reinterpret_cast<Explain*>(explain)(code, &text) != 0 || text == nullptr) {
        return "";
    }
    return text;
}

void ask_version(Driver& cuda) {
    int version = 0;
    cuda.call<int(int*)>(
        {"cuDriverGetVersion"}, [&](auto* function) { return function(&version); },
        [&](Json& line) { line.set("version", version); });
}

int ask_device_count(Driver& cuda) {
    int count = 0;
    cuda.call<int(int*)>(
        {"cuDeviceGetCount"}, [&](auto* function) { return function(&count); },
        [&](Json& line) { line.set("count", count); });
    return count;
}

void ask_capability(Driver& cuda, int index, int handle) {
    int major = 0;
    int minor = 0;
    cuda.call<int(int*, int, int)>(
        {.name = "cuDeviceGetAttribute", .device = index},
        [&](auto* function) {
            const int code = function(&major, attribute_capability_major, handle);
            return code != 0 ? code : function(&minor, attribute_capability_minor, handle);
        },
        [&](Json& line) {
            line.set("compute_capability", std::to_string(major) + "." + std::to_string(minor));
        });
}

void ask_device_text(Driver& cuda, const Call& what, const char* key, int handle) {
    std::array<char, 256> buffer{};
    cuda.call<int(char*, int, int)>(
        what,
        [&](auto* function) { return function(buffer.data(), static_cast<int>(buffer.size()) - 1, handle); },
        [&](Json& line) {
            const std::string text(buffer.data(), strnlen(buffer.data(), buffer.size()));
            line.set(key, std::string_view(key) == "pci_address" ? kernel_pci_address(text) : text);
        });
}

void ask_memory(Driver& cuda, int index, int handle) {
    std::size_t bytes = 0;
    cuda.call<int(std::size_t*, int)>(
        {"cuDeviceTotalMem", {"cuDeviceTotalMem_v2", "cuDeviceTotalMem"}, index},
        [&](auto* function) { return function(&bytes, handle); },
        [&](Json& line) { line.set("bytes", static_cast<std::int64_t>(bytes)); });
}

// The device's handle, or nullopt when it cannot be had.
std::optional<int> ask_device(Driver& cuda, int index) {
    int handle = 0;
    const std::optional<int> code = cuda.call<int(int*, int)>(
        {.name = "cuDeviceGet", .device = index}, [&](auto* function) { return function(&handle, index); });
    if (code != 0) {
        return std::nullopt;
    }
    ask_device_text(cuda, {.name = "cuDeviceGetName", .device = index}, "device_name", handle);
    ask_capability(cuda, index, handle);
    ask_memory(cuda, index, handle);
    ask_device_text(cuda, {.name = "cuDeviceGetPCIBusId", .device = index}, "pci_address", handle);
    return handle;
}

}  // namespace

void ask_cuda(const Reply& reply) {
    // A diagnosis leaves nothing behind: without this the driver would keep our compiled kernel in
    // ~/.nv/ComputeCache. The variable is read by cuInit and this process is ours alone.
    setenv("CUDA_CACHE_DISABLE", "1", 1);

    Driver cuda(reply, {cuda_code_name, library_code_name});
    if (!cuda.open("libcuda.so.1")) {
        return;
    }
    ask_version(cuda);  // answers without cuInit, too
    const std::optional<int> started =
        cuda.call<int(unsigned int)>({"cuInit"}, [](auto* function) { return function(0); });
    if (started != 0) {
        report_nodes(reply, "nvidia");
        return;
    }
    ask_version(cuda);
    const int count = ask_device_count(cuda);
    std::optional<int> first;
    for (int index = 0; index < count && index < max_devices; ++index) {
        const std::optional<int> handle = ask_device(cuda, index);
        first = index == 0 ? handle : first;
    }
    if (first) {
        ask_cuda_to_compute(cuda, *first);
    }
}

}  // namespace whygpu
