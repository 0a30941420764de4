#include <cstring>

#include "fake_nvml.h"
#include "scenario.h"

// Limits, wear, modes and partitions. Only the library of today has them.
//
// Keys: device.N.{default_mw,min_mw,max_mw,persistence,replays,retired_pending,retired_single,
// retired_double,driver_model,margin,remapped,remapped_bad,remap_pending,remap_failed,links,links_active,
// mig_instances,recovery,fabric}. A GPU without links, MIG devices, fabric or driver model says that it does
// not support them.

namespace fake = whygpu::fake;

namespace {

using fake::Number;
using fake::nvml::answer;
using fake::nvml::enter;
using fake::nvml::index_of;

constexpr int success = 0;
constexpr int invalid_argument = 2;
constexpr int not_supported = 3;
constexpr int not_found = 6;
constexpr int insufficient_size = 7;
constexpr int version_mismatch = 25;

Number value_of(void* handle, const char* key, long long otherwise = 0) {
    return static_cast<Number>(fake::device_number(index_of(handle), key, otherwise));
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int nvmlDeviceGetPowerManagementDefaultLimit(void* handle, Number* milliwatts) {
    return answer("nvmlDeviceGetPowerManagementDefaultLimit", handle, milliwatts, "default_mw", 700000);
}

EXPORT int nvmlDeviceGetPowerManagementLimitConstraints(void* handle, Number* least, Number* most) {
    *most = value_of(handle, "max_mw", 700000);
    return answer("nvmlDeviceGetPowerManagementLimitConstraints", handle, least, "min_mw", 200000);
}

EXPORT int nvmlDeviceGetPersistenceMode(void* handle, Number* mode) {
    return answer("nvmlDeviceGetPersistenceMode", handle, mode, "persistence", 1);
}

EXPORT int nvmlDeviceGetPcieReplayCounter(void* handle, Number* replays) {
    return answer("nvmlDeviceGetPcieReplayCounter", handle, replays, "replays", 0);
}

EXPORT int nvmlDeviceGetRetiredPagesPendingStatus(void* handle, Number* pending) {
    return answer("nvmlDeviceGetRetiredPagesPendingStatus", handle, pending, "retired_pending", 0);
}

EXPORT int nvmlDeviceGetRetiredPages(void* handle, int cause, Number* count, unsigned long long* addresses) {
    if (cause != 0 && cause != 1) {
        return invalid_argument;
    }
    const Number room = *count;
    const char* key = cause == 0 ? "retired_single" : "retired_double";
    const int code = answer("nvmlDeviceGetRetiredPages", handle, count, key, 0);
    return code == success && *count > room && addresses == nullptr ? insufficient_size : code;
}

EXPORT int nvmlDeviceGetDriverModel(void* handle, Number* current, Number* pending) {
    const Number none = 99;
    *pending = value_of(handle, "driver_model", none);
    const int code = answer("nvmlDeviceGetDriverModel", handle, current, "driver_model", none);
    return code == success && *current == none ? not_supported : code;
}

EXPORT int nvmlDeviceGetMarginTemperature(void* handle, void* margin) {
    struct Margin {
        Number version;
        int celsius;
    };
    Margin given{};
    std::memcpy(&given, margin, sizeof(given));
    const int code = enter("nvmlDeviceGetMarginTemperature", index_of(handle));
    if (code != success || given.version != 0x1000008) {
        return code != success ? code : version_mismatch;
    }
    given.celsius = static_cast<int>(fake::device_number(index_of(handle), "margin", 46));
    std::memcpy(margin, &given, sizeof(given));
    return success;
}

EXPORT int nvmlDeviceGetRemappedRows(void* handle, Number* correctable, Number* uncorrectable,
                                     Number* pending, Number* failed) {
    *uncorrectable = value_of(handle, "remapped_bad");
    *pending = value_of(handle, "remap_pending");
    *failed = value_of(handle, "remap_failed");
    return answer("nvmlDeviceGetRemappedRows", handle, correctable, "remapped", 0);
}

EXPORT int nvmlDeviceGetNvLinkState(void* handle, Number link, Number* active) {
    const int code = enter("nvmlDeviceGetNvLinkState", index_of(handle));
    const Number links = value_of(handle, "links");
    if (code != success || link >= links) {
        return code != success ? code : (links == 0 ? not_supported : invalid_argument);
    }
    *active = link < value_of(handle, "links_active", links) ? 1 : 0;
    return success;
}

EXPORT int nvmlDeviceGetMigDeviceHandleByIndex(void* handle, Number place, void** instance) {
    const int code = enter("nvmlDeviceGetMigDeviceHandleByIndex", index_of(handle));
    const bool mig = value_of(handle, "mig") == 1;
    *instance = handle;
    if (code != success || !mig) {
        return code != success ? code : not_supported;
    }
    return place < value_of(handle, "mig_instances") ? success : not_found;
}

EXPORT int nvmlDeviceGetFieldValues(void* handle, int count, void* values) {
    struct FieldValue {
        Number field, scope;
        long long timestamp, latency;
        int type, code;
        unsigned long long value;
    };
    FieldValue given{};
    std::memcpy(&given, values, sizeof(given));
    const int code = enter("nvmlDeviceGetFieldValues", index_of(handle));
    if (code != success || count != 1) {
        return code != success ? code : invalid_argument;
    }
    given.code = given.field == 230 ? success : not_supported;
    given.value = value_of(handle, "recovery");
    std::memcpy(values, &given, sizeof(given));
    return success;
}

EXPORT int nvmlDeviceGetGpuFabricInfo(void* handle, void* fabric) {
    const int code = enter("nvmlDeviceGetGpuFabricInfo", index_of(handle));
    const Number state = value_of(handle, "fabric");
    if (code != success || state == 0) {
        return code != success ? code : not_supported;
    }
    static_cast<unsigned char*>(fabric)[24] = static_cast<unsigned char>(state);
    return success;
}
