#pragma once

#include "drivers/driver.h"

namespace whygpu {

/// Asks libnvidia-ml.so.1: versions, nvmlInit and for each device what NvmlFacts holds, then shuts the
/// library down. The reply's lines are those of ask_driver.
void ask_nvml(const Reply& reply);

/// One device of NVML: its place in the list and its handle.
struct NvmlDevice {
    Driver& nvml;
    int index;
    void* handle;
};

/// The part about one device.
void ask_nvml_device(const NvmlDevice& device);

/// What is asked about a device besides its load: limits, wear of its memory and links, modes, partitions.
void ask_nvml_health(const NvmlDevice& device);

}  // namespace whygpu
