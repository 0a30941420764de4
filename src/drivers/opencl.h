#pragma once

#include "drivers/reply.h"

namespace whygpu {

/// Asks libOpenCL.so.1: the platforms, and of each device its kind, name, driver and memory
/// ("clGetDeviceInfo", numbered over all platforms; "device_total" counts them). Nothing is run on them.
/// The reply's lines are those of ask_driver.
void ask_opencl(const Reply& reply);

}  // namespace whygpu
