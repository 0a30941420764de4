#pragma once

#include "drivers/driver.h"

namespace whygpu {

/// Asks libnvidia-ml.so.1: versions, nvmlInit and for each device what NvmlFacts holds, then shuts the
/// library down. The reply's lines are those of ask_driver.
void ask_nvml(const Reply& reply);

/// The part about one device, by its handle.
void ask_nvml_device(Driver& nvml, int index, void* handle);

}  // namespace whygpu
