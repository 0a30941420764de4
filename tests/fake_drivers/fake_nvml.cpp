#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include "fake_nvml.h"
#include "scenario.h"

// A libnvidia-ml.so.1 for the scenario's devices. With OLD_SYMBOLS it has what a driver of about 2014
// had: no name ends in _v2 or _v3, the short PCI structure, no MIG, clock-event reasons by their older
// name.
//
// Keys besides those of scenario.h: nvml.driver_version, nvml.nvml_version, nvml.cuda_version,
// device.count, nvml.device.count and device.N.{name,cc,memory,pci,used,temperature,slowdown,
// power_mw,limit_mw,sm_mhz,sm_max_mhz,reasons,link_gen,link_gen_max,link_width,link_width_max,
// utilisation,ecc,ecc_errors,mig,compute_mode,processes}; fake_nvml_health.cpp has more.

namespace fake = whygpu::fake;

namespace {

using fake::Number;
using fake::nvml::answer;
using fake::nvml::enter;
using fake::nvml::index_of;
using Long = unsigned long long;

constexpr int success = 0;
constexpr int uninitialized = 1;
constexpr int invalid_argument = 2;
constexpr int not_supported = 3;
constexpr int insufficient_size = 7;
constexpr int max_devices = 256;

#ifdef OLD_SYMBOLS
#define VERSIONED(name, version) name
#else
#define VERSIONED(name, version) name##version
#endif

bool initialised = false;
// A device's handle is the address of its place here.
char handles[max_devices];

int device_count() {
    return static_cast<int>(fake::number("nvml.device.count", fake::number("device.count", 1)));
}

std::string pci_address(int device) {
    return fake::device_text(device, "pci", "0000:0" + std::to_string(device + 1) + ":00.0");
}

int version_text(const char* call, const std::string& text, char* buffer, Number size) {
    const int code = enter(call);
    return code != success || fake::copy_text(text, buffer, size) ? code : insufficient_size;
}

}  // namespace

namespace whygpu::fake::nvml {

int index_of(void* handle) {
    return static_cast<int>(static_cast<char*>(handle) - handles);
}

int enter(const char* call, int device) {
    const int code = fake::enter("nvml", call, device);
    if (code != success) {
        return code;
    }
    if (fake::listed("nvml.not_supported", call)) {
        return not_supported;
    }
    return initialised ? success : uninitialized;
}

int answer(const char* call, void* handle, Number* value, const char* key, long long otherwise) {
    const int device = index_of(handle);
    const int code = enter(call, device);
    if (code == success) {
        *value = static_cast<Number>(fake::device_number(device, key, otherwise));
    }
    return code;
}

}  // namespace whygpu::fake::nvml

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int VERSIONED(nvmlInit, _v2)() {
    const int code = fake::enter("nvml", "nvmlInit_v2");
    const int wanted = static_cast<int>(fake::number("nvml.init", code));
    initialised = wanted == success;
    return wanted;
}

EXPORT int nvmlShutdown() {
    const int code = enter("nvmlShutdown");
    initialised = false;
    return code;
}

EXPORT const char* nvmlErrorString(int) {
    return "Text Of The Library";
}

EXPORT int nvmlSystemGetDriverVersion(char* buffer, Number size) {
    return version_text("nvmlSystemGetDriverVersion", fake::text("nvml.driver_version", "570.86.10"), buffer,
                        size);
}

EXPORT int nvmlSystemGetNVMLVersion(char* buffer, Number size) {
    const int code = fake::enter("nvml", "nvmlSystemGetNVMLVersion");  // needs no nvmlInit
    return code != success || fake::copy_text(fake::text("nvml.nvml_version", "12.570.86.10"), buffer, size)
               ? code
               : insufficient_size;
}

EXPORT int VERSIONED(nvmlDeviceGetCount, _v2)(Number* count) {
    const int code = enter("nvmlDeviceGetCount_v2");
    *count = code == success ? static_cast<Number>(device_count()) : 0;
    return code;
}

EXPORT int VERSIONED(nvmlDeviceGetHandleByIndex, _v2)(Number index, void** handle) {
    const int device = static_cast<int>(index);
    const int code = enter("nvmlDeviceGetHandleByIndex_v2", device);
    if (code != success || device >= device_count() || device >= max_devices) {
        return code != success ? code : invalid_argument;
    }
    *handle = handles + device;
    return success;
}

EXPORT int nvmlDeviceGetName(void* handle, char* name, Number size) {
    const int device = index_of(handle);
    const int code = enter("nvmlDeviceGetName", device);
    const std::string text = fake::device_text(device, "name", "NVIDIA Fake GPU");
    return code != success || fake::copy_text(text, name, size) ? code : insufficient_size;
}

EXPORT int VERSIONED(nvmlDeviceGetPciInfo, _v3)(void* handle, void* info) {
    // The old structure, then the new one with its longer address behind.
    struct Pci {
        char legacy_address[16];
        Number domain, bus, device, device_id, subsystem_id;
        char address[32];
    };
    const int device = index_of(handle);
    const int code = enter("nvmlDeviceGetPciInfo_v3", device);
    if (code != success) {
        return code;
    }
    Pci pci{};
    const std::string address = pci_address(device);
    std::snprintf(pci.legacy_address, sizeof(pci.legacy_address), "%s", address.c_str());
#ifdef OLD_SYMBOLS
    std::memset(pci.address, 0x7f, 16);  // four reserved words, and no more is ours to write
    std::memcpy(info, &pci, offsetof(Pci, address) + 16);
#else
    std::snprintf(pci.address, sizeof(pci.address), "0000%s", address.c_str());
    std::memcpy(info, &pci, sizeof(pci));
#endif
    return success;
}

EXPORT int nvmlDeviceGetMemoryInfo(void* handle, void* info) {
    struct Memory {
        Long total, free, used;
    };
    const int device = index_of(handle);
    const int code = enter("nvmlDeviceGetMemoryInfo", device);
    if (code != success) {
        return code;
    }
    Memory memory{};
    memory.total = static_cast<Long>(fake::device_number(device, "memory", 2147483648));
    memory.used = static_cast<Long>(fake::device_number(device, "used", 1048576));
    memory.free = memory.total - memory.used;
    std::memcpy(info, &memory, sizeof(memory));
    return success;
}

EXPORT int nvmlDeviceGetTemperature(void* handle, int sensor, Number* celsius) {
    return sensor == 0 ? answer("nvmlDeviceGetTemperature", handle, celsius, "temperature", 41)
                       : invalid_argument;
}

EXPORT int nvmlDeviceGetPowerUsage(void* handle, Number* milliwatts) {
    return answer("nvmlDeviceGetPowerUsage", handle, milliwatts, "power_mw", 71500);
}

EXPORT int nvmlDeviceGetClockInfo(void* handle, int clock, Number* megahertz) {
    return clock == 1 ? answer("nvmlDeviceGetClockInfo", handle, megahertz, "sm_mhz", 1980)
                      : invalid_argument;
}

EXPORT int nvmlDeviceGetMaxClockInfo(void* handle, int clock, Number* megahertz) {
    return clock == 1 ? answer("nvmlDeviceGetMaxClockInfo", handle, megahertz, "sm_max_mhz", 1980)
                      : invalid_argument;
}

EXPORT int nvmlDeviceGetCurrPcieLinkGeneration(void* handle, Number* generation) {
    return answer("nvmlDeviceGetCurrPcieLinkGeneration", handle, generation, "link_gen", 5);
}

EXPORT int nvmlDeviceGetMaxPcieLinkGeneration(void* handle, Number* generation) {
    return answer("nvmlDeviceGetMaxPcieLinkGeneration", handle, generation, "link_gen_max", 5);
}

EXPORT int nvmlDeviceGetCurrPcieLinkWidth(void* handle, Number* lanes) {
    return answer("nvmlDeviceGetCurrPcieLinkWidth", handle, lanes, "link_width", 16);
}

EXPORT int nvmlDeviceGetMaxPcieLinkWidth(void* handle, Number* lanes) {
    return answer("nvmlDeviceGetMaxPcieLinkWidth", handle, lanes, "link_width_max", 16);
}

EXPORT int nvmlDeviceGetUtilizationRates(void* handle, Number* gpu_and_memory) {
    gpu_and_memory[1] = 0;
    return answer("nvmlDeviceGetUtilizationRates", handle, gpu_and_memory, "utilisation", 0);
}

EXPORT int nvmlDeviceGetEccMode(void* handle, Number* current, Number* pending) {
    const int code = answer("nvmlDeviceGetEccMode", handle, current, "ecc", 1);
    *pending = static_cast<Number>(fake::device_number(index_of(handle), "ecc_pending", *current));
    return code;
}

EXPORT int nvmlDeviceGetTotalEccErrors(void* handle, int kind, int counter, Long* errors) {
    Number value = 0;
    const int code = answer("nvmlDeviceGetTotalEccErrors", handle, &value, "ecc_errors", 0);
    *errors = value;
    return kind == 1 && counter == 0 ? code : invalid_argument;
}

EXPORT int nvmlDeviceGetComputeMode(void* handle, Number* mode) {
    return answer("nvmlDeviceGetComputeMode", handle, mode, "compute_mode", 0);
}

EXPORT int VERSIONED(nvmlDeviceGetComputeRunningProcesses, _v3)(void* handle, Number* count, void*) {
    const Number room = *count;
    const int code = answer("nvmlDeviceGetComputeRunningProcesses_v3", handle, count, "processes", 0);
    return code == success && *count > room ? insufficient_size : code;
}

#ifdef OLD_SYMBOLS
#define CLOCK_REASONS nvmlDeviceGetCurrentClocksThrottleReasons
#else
#define CLOCK_REASONS nvmlDeviceGetCurrentClocksEventReasons
#endif

EXPORT int CLOCK_REASONS(void* handle, Long* reasons) {
    Number value = 0;
    const int code = answer("nvmlDeviceGetCurrentClocksEventReasons", handle, &value, "reasons", 1);
    *reasons = value;
    return code;
}

#ifndef OLD_SYMBOLS

EXPORT int nvmlSystemGetCudaDriverVersion_v2(int* version) {
    const int code = enter("nvmlSystemGetCudaDriverVersion_v2");
    *version =
        static_cast<int>(fake::number("nvml.cuda_version", fake::number("cuda.driver_version", 12080)));
    return code;
}

EXPORT int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor) {
    const int device = index_of(handle);
    const int code = enter("nvmlDeviceGetCudaComputeCapability", device);
    const fake::Capability capability = fake::device_capability(device);
    *major = capability.major;
    *minor = capability.minor;
    return code;
}

EXPORT int nvmlDeviceGetMemoryInfo_v2(void* handle, void* info) {
    struct Memory {
        Number version;
        Long total, reserved, free, used;
    };
    const int device = index_of(handle);
    const int code = enter("nvmlDeviceGetMemoryInfo_v2", device);
    Memory memory{};
    std::memcpy(&memory.version, info, sizeof(memory.version));
    if (code != success || memory.version != (sizeof(Memory) | (2U << 24U))) {
        return code != success ? code : 25;
    }
    memory.total = static_cast<Long>(fake::device_number(device, "memory", 2147483648));
    memory.used = static_cast<Long>(fake::device_number(device, "used", 1048576));
    memory.reserved = 4096;
    memory.free = memory.total - memory.used - memory.reserved;
    std::memcpy(info, &memory, sizeof(memory));
    return success;
}

EXPORT int nvmlDeviceGetTemperatureThreshold(void* handle, int threshold, Number* celsius) {
    constexpr const char* keys[] = {"shutdown", "slowdown", "memory_max", "gpu_max"};
    constexpr long long otherwise[] = {92, 87, 95, 85};
    return threshold >= 0 && threshold < 4 ? answer("nvmlDeviceGetTemperatureThreshold", handle, celsius,
                                                    keys[threshold], otherwise[threshold])
                                           : invalid_argument;
}

EXPORT int nvmlDeviceGetEnforcedPowerLimit(void* handle, Number* milliwatts) {
    return answer("nvmlDeviceGetEnforcedPowerLimit", handle, milliwatts, "limit_mw", 700000);
}

EXPORT int nvmlDeviceGetMigMode(void* handle, Number* current, Number* pending) {
    const int code = answer("nvmlDeviceGetMigMode", handle, current, "mig", 0);
    *pending = *current;
    return code;
}

#endif
