#include "drivers/nvml.h"

#include <array>

#include "drivers/library.h"
#include "drivers/names.h"

namespace whygpu {

namespace {

constexpr unsigned int max_devices = 64;

std::string library_code_text(void* library, int code) {
    using Explain = const char*(int);
    void* explain = find_symbol(library, "nvmlErrorString");
    const char* text = explain != nullptr ? reinterpret_cast<Explain*>(explain)(code) : nullptr;
    return text != nullptr ? text : "";
}

void ask_version_text(Driver& nvml, const char* name) {
    std::array<char, 128> buffer{};
    nvml.call<int(char*, unsigned int)>(
        {name}, [&](auto* function) { return function(buffer.data(), buffer.size() - 1); },
        [&](Json& line) { line.set("version", std::string(buffer.data())); });
}

void ask_cuda_version(Driver& nvml) {
    int version = 0;
    nvml.call<int(int*)>(
        {"nvmlSystemGetCudaDriverVersion",
         {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"}},
        [&](auto* function) { return function(&version); },
        [&](Json& line) { line.set("version", version); });
}

// Confidential computing: whether it is on, and whether the GPUs were let into use.
void ask_confidential(Driver& nvml) {
    struct State {
        unsigned int environment, feature, tools;
        unsigned int room[64];
    };
    State state{};
    const std::optional<int> code = nvml.call<int(State*)>(
        {"nvmlSystemGetConfComputeState"}, [&](auto* function) { return function(&state); },
        [&](Json& line) { line.set("feature", static_cast<std::int64_t>(state.feature)); });
    if (code != 0 || state.feature == 0) {
        return;
    }
    unsigned int ready = 0;
    nvml.call<int(unsigned int*)>(
        {"nvmlSystemGetConfComputeGpusReadyState"}, [&](auto* function) { return function(&ready); },
        [&](Json& line) { line.set("ready", static_cast<std::int64_t>(ready)); });
}

unsigned int ask_device_count(Driver& nvml) {
    unsigned int count = 0;
    nvml.call<int(unsigned int*)>(
        {"nvmlDeviceGetCount", {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}},
        [&](auto* function) { return function(&count); },
        [&](Json& line) { line.set("count", static_cast<std::int64_t>(count)); });
    return count;
}

void ask_device(Driver& nvml, unsigned int index) {
    void* handle = nullptr;
    const int shown = static_cast<int>(index);
    const std::optional<int> found =
        nvml.call<int(unsigned int, void**)>({"nvmlDeviceGetHandleByIndex",
                                              {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"},
                                              shown},
                                             [&](auto* function) { return function(index, &handle); });
    if (found == 0) {
        const NvmlDevice device{nvml, shown, handle};
        ask_nvml_device(device);
        ask_nvml_health(device);
    }
}

}  // namespace

void ask_nvml(const Reply& reply) {
    Driver nvml(reply, {nvml_code_name, library_code_text});
    if (!nvml.open("libnvidia-ml.so.1")) {
        return;
    }
    // Answers without nvmlInit, so that a library of another version than the kernel module's, with
    // which nvmlInit fails, still tells which one it is.
    ask_version_text(nvml, "nvmlSystemGetNVMLVersion");
    const std::optional<int> started = nvml.call<int()>({"nvmlInit", {"nvmlInit_v2", "nvmlInit"}},
                                                        [](auto* function) { return function(); });
    if (started != 0) {
        return;
    }
    ask_version_text(nvml, "nvmlSystemGetDriverVersion");
    ask_cuda_version(nvml);
    ask_confidential(nvml);
    const unsigned int count = ask_device_count(nvml);
    for (unsigned int index = 0; index < count && index < max_devices; ++index) {
        ask_device(nvml, index);
    }
    nvml.call<int()>({"nvmlShutdown"}, [](auto* function) { return function(); });
}

}  // namespace whygpu
