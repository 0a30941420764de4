#include <array>
#include <cstddef>
#include <cstring>

#include "base/text.h"
#include "drivers/names.h"
#include "drivers/nvml.h"

// What NVML tells about one device. Most calls have one of two shapes and stand in tables; the
// structures are our own, laid out as in nvml.h, with room behind them for what a newer library may add.

namespace whygpu {

namespace {

using Number = unsigned int;

// int call(device, unsigned int* value)
struct NumberCall {
    const char* name;
    const char* key;
};
constexpr auto number_calls = std::to_array<NumberCall>({
    {"nvmlDeviceGetPowerUsage", "milliwatts"},
    {"nvmlDeviceGetEnforcedPowerLimit", "milliwatts"},
    {"nvmlDeviceGetCurrPcieLinkGeneration", "generation"},
    {"nvmlDeviceGetMaxPcieLinkGeneration", "generation"},
    {"nvmlDeviceGetCurrPcieLinkWidth", "lanes"},
    {"nvmlDeviceGetMaxPcieLinkWidth", "lanes"},
    {"nvmlDeviceGetComputeMode", "mode"},
    {"nvmlDeviceGetVirtualizationMode", "mode"},
});

// int call(device, int which, unsigned int* value)
struct SelectedCall {
    const char* name;
    int which;
    const char* key;
};
constexpr int sensor_gpu = 0;
constexpr int threshold_slowdown = 1;
constexpr int clock_sm = 1;
constexpr auto selected_calls = std::to_array<SelectedCall>({
    {"nvmlDeviceGetTemperature", sensor_gpu, "celsius"},
    {"nvmlDeviceGetTemperatureThreshold", threshold_slowdown, "celsius"},
    {"nvmlDeviceGetClockInfo", clock_sm, "megahertz"},
    {"nvmlDeviceGetMaxClockInfo", clock_sm, "megahertz"},
});

// int call(device, unsigned int* current, unsigned int* pending)
constexpr auto mode_calls = std::to_array<const char*>({"nvmlDeviceGetEccMode", "nvmlDeviceGetMigMode"});

constexpr int insufficient_size = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int ecc_uncorrected = 1;
constexpr int ecc_since_load = 0;  // the volatile counters

std::int64_t integer(unsigned long long value) {
    return static_cast<std::int64_t>(value);
}

template <std::size_t size>
std::string text_of(const char (&buffer)[size]) {
    return std::string(buffer, strnlen(buffer, size));
}

void ask_name(const NvmlDevice& device) {
    char name[256] = {};
    device.nvml.call<int(void*, char*, Number)>(
        {.name = "nvmlDeviceGetName", .device = device.index},
        [&](auto* function) { return function(device.handle, name, sizeof(name) - 1); },
        [&](Json& line) { line.set("device_name", text_of(name)); });
}

void ask_pci(const NvmlDevice& device) {
    // The first two versions have the address in front, in what became the legacy field, and reserved
    // words where the third has the long address.
    struct Pci {
        char legacy_address[16];
        Number domain, bus, device, device_id, subsystem_id;
        char address[32];
        std::byte room[512];
    };
    static_assert(offsetof(Pci, address) == 36);
    Pci pci{};
    device.nvml.call<int(void*, Pci*)>(
        {"nvmlDeviceGetPciInfo",
         {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"},
         device.index},
        [&](auto* function) { return function(device.handle, &pci); },
        [&](Json& line) {
            const std::string address = text_of(pci.address);
            line.set("pci_address",
                     kernel_pci_address(contains(address, ":") ? address : text_of(pci.legacy_address)));
        });
}

void ask_capability(const NvmlDevice& device) {
    int major = 0;
    int minor = 0;
    device.nvml.call<int(void*, int*, int*)>(
        {.name = "nvmlDeviceGetCudaComputeCapability", .device = device.index},
        [&](auto* function) { return function(device.handle, &major, &minor); },
        [&](Json& line) {
            line.set("compute_capability", std::to_string(major) + "." + std::to_string(minor));
        });
}

// The second version counts what the driver reserves apart; the first counts it as used.
bool ask_memory_v2(const NvmlDevice& device) {
    struct Memory {
        Number version;
        unsigned long long total, reserved, free, used;
        std::byte room[256];
    };
    // The version word is the size of the structure without our room, and 2 in the highest byte.
    constexpr Number version = offsetof(Memory, room) | (2U << 24U);
    Memory memory{};
    memory.version = version;
    const std::optional<int> code = device.nvml.call<int(void*, Memory*)>(
        {"nvmlDeviceGetMemoryInfo", {"nvmlDeviceGetMemoryInfo_v2"}, device.index},
        [&](auto* function) { return function(device.handle, &memory); },
        [&](Json& line) {
            line.set("total_bytes", integer(memory.total));
            line.set("used_bytes", integer(memory.used));
            line.set("reserved_bytes", integer(memory.reserved));
        });
    return code == 0;
}

void ask_memory_v1(const NvmlDevice& device) {
    struct Memory {
        unsigned long long total, free, used;
        std::byte room[256];
    };
    Memory memory{};
    device.nvml.call<int(void*, Memory*)>(
        {.name = "nvmlDeviceGetMemoryInfo", .device = device.index},
        [&](auto* function) { return function(device.handle, &memory); },
        [&](Json& line) {
            line.set("total_bytes", integer(memory.total));
            line.set("used_bytes", integer(memory.used));
        });
}

void ask_numbers(const NvmlDevice& device) {
    for (const NumberCall& each : number_calls) {
        Number value = 0;
        device.nvml.call<int(void*, Number*)>(
            {.name = each.name, .device = device.index},
            [&](auto* function) { return function(device.handle, &value); },
            [&](Json& line) { line.set(each.key, integer(value)); });
    }
    for (const SelectedCall& each : selected_calls) {
        Number value = 0;
        device.nvml.call<int(void*, int, Number*)>(
            {.name = each.name, .device = device.index},
            [&](auto* function) { return function(device.handle, each.which, &value); },
            [&](Json& line) { line.set(each.key, integer(value)); });
    }
    for (const char* name : mode_calls) {
        Number current = 0;
        Number pending = 0;
        device.nvml.call<int(void*, Number*, Number*)>(
            {.name = name, .device = device.index},
            [&](auto* function) { return function(device.handle, &current, &pending); },
            [&](Json& line) {
                line.set("current", integer(current));
                line.set("pending", integer(pending));
            });
    }
}

void ask_clock_reasons(const NvmlDevice& device) {
    unsigned long long mask = 0;
    device.nvml.call<int(void*, unsigned long long*)>(
        {"nvmlDeviceGetCurrentClocksEventReasons",
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
         device.index},
        [&](auto* function) { return function(device.handle, &mask); },
        [&](Json& line) { line.set("reasons", Json::array_of(clock_reason_names(mask))); });
}

void ask_utilisation(const NvmlDevice& device) {
    struct Utilisation {
        Number gpu, memory;
        std::byte room[64];
    };
    Utilisation utilisation{};
    device.nvml.call<int(void*, Utilisation*)>(
        {.name = "nvmlDeviceGetUtilizationRates", .device = device.index},
        [&](auto* function) { return function(device.handle, &utilisation); },
        [&](Json& line) { line.set("gpu_percent", integer(utilisation.gpu)); });
}

void ask_ecc_errors(const NvmlDevice& device) {
    unsigned long long errors = 0;
    device.nvml.call<int(void*, int, int, unsigned long long*)>(
        {.name = "nvmlDeviceGetTotalEccErrors", .device = device.index},
        [&](auto* function) { return function(device.handle, ecc_uncorrected, ecc_since_load, &errors); },
        [&](Json& line) { line.set("errors", integer(errors)); });
}

// Only how many there are: asked with room for none, the call says how much room it wants.
void ask_processes(const NvmlDevice& device) {
    Number count = 0;
    device.nvml.call<int(void*, Number*, void*)>(
        {"nvmlDeviceGetComputeRunningProcesses",
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
          "nvmlDeviceGetComputeRunningProcesses"},
         device.index,
         insufficient_size},
        [&](auto* function) { return function(device.handle, &count, nullptr); },
        [&](Json& line) { line.set("count", integer(count)); });
}

}  // namespace

void ask_nvml_device(const NvmlDevice& device) {
    ask_name(device);
    ask_pci(device);
    ask_capability(device);
    if (!ask_memory_v2(device)) {
        ask_memory_v1(device);
    }
    ask_numbers(device);
    ask_clock_reasons(device);
    ask_utilisation(device);
    ask_ecc_errors(device);
    ask_processes(device);
}

}  // namespace whygpu
