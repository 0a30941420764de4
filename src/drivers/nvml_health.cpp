#include <array>
#include <cstddef>
#include <cstdint>

#include "drivers/nvml.h"

// What NVML tells about a device that seldom changes: limits of heat and power, the wear of memory and
// links, modes, partitions, and what the driver itself wants done about the card.
//
// Where one function is asked twice with different arguments, the name in the reply has the argument
// behind a dot, so that each answer keeps a name of its own.

namespace whygpu {

namespace {

using Number = unsigned int;

constexpr int insufficient_size = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int not_found = 6;          // NVML_ERROR_NOT_FOUND: no MIG device in this place
constexpr int not_supported = 3;      // NVML_ERROR_NOT_SUPPORTED: not this link, perhaps the next

// NVML_NVLINK_MAX_LINKS is 18 up to Blackwell; asking for more links than a card has fails at once.
constexpr Number max_links = 36;
constexpr Number max_mig_devices = 16;

// NVML_FI_DEV_GET_GPU_RECOVERY_ACTION, known to drivers since about 565.
constexpr Number recovery_field = 230;

std::int64_t integer(unsigned long long value) {
    return static_cast<std::int64_t>(value);
}

// int call(device, unsigned int* value)
struct NumberCall {
    const char* name;
    const char* key;
};
constexpr auto number_calls = std::to_array<NumberCall>({
    {"nvmlDeviceGetPowerManagementDefaultLimit", "milliwatts"},
    {"nvmlDeviceGetPersistenceMode", "mode"},
    {"nvmlDeviceGetPcieReplayCounter", "replays"},
    {"nvmlDeviceGetRetiredPagesPendingStatus", "pending"},
});

// int call(device, int which, unsigned int* value)
struct SelectedCall {
    const char* name;
    const char* symbol;
    int which;
    const char* key;
};
constexpr auto selected_calls = std::to_array<SelectedCall>({
    {"nvmlDeviceGetTemperatureThreshold.shutdown", "nvmlDeviceGetTemperatureThreshold", 0, "celsius"},
    {"nvmlDeviceGetTemperatureThreshold.memory", "nvmlDeviceGetTemperatureThreshold", 2, "celsius"},
    {"nvmlDeviceGetTemperatureThreshold.operating", "nvmlDeviceGetTemperatureThreshold", 3, "celsius"},
});

// int call(device, unsigned int* one, unsigned int* other)
struct PairCall {
    const char* name;
    const char* one;
    const char* other;
};
constexpr auto pair_calls = std::to_array<PairCall>({
    {"nvmlDeviceGetPowerManagementLimitConstraints", "least_milliwatts", "most_milliwatts"},
    {"nvmlDeviceGetDriverModel", "current", "pending"},
});

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
            {each.name, {each.symbol}, device.index},
            [&](auto* function) { return function(device.handle, each.which, &value); },
            [&](Json& line) { line.set(each.key, integer(value)); });
    }
    for (const PairCall& each : pair_calls) {
        Number one = 0;
        Number other = 0;
        device.nvml.call<int(void*, Number*, Number*)>(
            {.name = each.name, .device = device.index},
            [&](auto* function) { return function(device.handle, &one, &other); },
            [&](Json& line) {
                line.set(each.one, integer(one));
                line.set(each.other, integer(other));
            });
    }
}

// How far the hottest part is from the limit where clocks drop ("T.Limit"): the only limit that cards of
// this decade give. Negative when it is beyond.
void ask_margin(const NvmlDevice& device) {
    struct Margin {
        Number version;
        int celsius;
        std::byte room[64];
    };
    constexpr Number version = offsetof(Margin, room) | (1U << 24U);
    Margin margin{};
    margin.version = version;
    device.nvml.call<int(void*, Margin*)>(
        {.name = "nvmlDeviceGetMarginTemperature", .device = device.index},
        [&](auto* function) { return function(device.handle, &margin); },
        [&](Json& line) { line.set("celsius", margin.celsius); });
}

// Rows of memory that the card replaced by spare ones (Ampere and newer).
void ask_remapped_rows(const NvmlDevice& device) {
    Number correctable = 0;
    Number uncorrectable = 0;
    Number pending = 0;
    Number failed = 0;
    device.nvml.call<int(void*, Number*, Number*, Number*, Number*)>(
        {.name = "nvmlDeviceGetRemappedRows", .device = device.index},
        [&](auto* function) {
            return function(device.handle, &correctable, &uncorrectable, &pending, &failed);
        },
        [&](Json& line) {
            line.set("correctable", integer(correctable));
            line.set("uncorrectable", integer(uncorrectable));
            line.set("pending", integer(pending));
            line.set("failed", integer(failed));
        });
}

// Pages that the driver no longer hands out (before Ampere). Only how many there are: asked with room for
// none, the call says how much room it wants.
void ask_retired_pages(const NvmlDevice& device, const char* name, int cause) {
    Number count = 0;
    device.nvml.call<int(void*, int, Number*, unsigned long long*)>(
        {name, {"nvmlDeviceGetRetiredPages"}, device.index, insufficient_size},
        [&](auto* function) { return function(device.handle, cause, &count, nullptr); },
        [&](Json& line) { line.set("count", integer(count)); });
}

// All links in one answer. A link without a partner, or that the card does not have in this form, is not
// active or not supported; only when no link answers, the call has failed.
void ask_links(const NvmlDevice& device) {
    Number links = 0;
    Number active = 0;
    device.nvml.call<int(void*, Number, Number*)>(
        {.name = "nvmlDeviceGetNvLinkState", .device = device.index},
        [&](auto* function) {
            int code = 0;
            for (Number link = 0; link < max_links && (code == 0 || code == not_supported); ++link) {
                Number state = 0;
                code = function(device.handle, link, &state);
                links += code == 0 ? 1U : 0U;
                active += code == 0 && state == 1 ? 1U : 0U;
            }
            return links > 0 ? 0 : code;
        },
        [&](Json& line) {
            line.set("links", integer(links));
            line.set("active", integer(active));
        });
}

// How many instances MIG has been cut into: what a program can use, which is none right after MIG was
// switched on.
void ask_mig_devices(const NvmlDevice& device) {
    Number count = 0;
    device.nvml.call<int(void*, Number, void**)>(
        {.name = "nvmlDeviceGetMigDeviceHandleByIndex", .device = device.index},
        [&](auto* function) {
            for (Number place = 0; place < max_mig_devices; ++place) {
                void* instance = nullptr;
                const int code = function(device.handle, place, &instance);
                if (code == 0) {
                    ++count;
                } else if (code != not_found) {
                    return count > 0 ? 0 : code;
                }
            }
            return 0;
        },
        [&](Json& line) { line.set("count", integer(count)); });
}

// What the driver wants done about the card: nothing, a reset, a reboot. A driver that does not know the
// field answers with a code of the field's own.
void ask_recovery(const NvmlDevice& device) {
    struct FieldValue {
        Number field;
        Number scope;
        long long timestamp;
        long long latency_us;
        int type;
        int code;
        union {
            Number number;
            unsigned long long room;
        } value;
    };
    static_assert(sizeof(FieldValue) == 40);
    FieldValue answer{};
    answer.field = recovery_field;
    device.nvml.call<int(void*, int, FieldValue*)>(
        {"nvmlDeviceGetFieldValues.recovery", {"nvmlDeviceGetFieldValues"}, device.index},
        [&](auto* function) {
            const int code = function(device.handle, 1, &answer);
            return code != 0 ? code : answer.code;
        },
        [&](Json& line) { line.set("action", integer(answer.value.number)); });
}

// How far a card behind NVSwitches has got with joining the fabric; CUDA does not start before it is done.
void ask_fabric(const NvmlDevice& device) {
    struct Fabric {
        unsigned char cluster[16];
        int status;
        Number clique;
        unsigned char state;
        std::byte room[64];
    };
    Fabric fabric{};
    device.nvml.call<int(void*, Fabric*)>(
        {.name = "nvmlDeviceGetGpuFabricInfo", .device = device.index},
        [&](auto* function) { return function(device.handle, &fabric); },
        [&](Json& line) {
            line.set("state", integer(fabric.state));
            line.set("status", fabric.status);
        });
}

}  // namespace

void ask_nvml_health(const NvmlDevice& device) {
    ask_numbers(device);
    ask_margin(device);
    ask_remapped_rows(device);
    ask_retired_pages(device, "nvmlDeviceGetRetiredPages.single-bit", 0);
    ask_retired_pages(device, "nvmlDeviceGetRetiredPages.double-bit", 1);
    ask_links(device);
    ask_mig_devices(device);
    ask_recovery(device);
    ask_fabric(device);
}

}  // namespace whygpu
