#pragma once

#include "drivers/driver.h"

namespace whygpu {

/// Asks libcuda.so.1: version, cuInit, the devices, and on device 0 a small copy and a tiny kernel.
/// The reply's lines are those of ask_driver.
void ask_cuda(const Reply& reply);

/// The second half: on the device with that handle a context, then 4 KiB to it and back
/// ("copy_check"), then a kernel from PTX ("kernel_check"). A check that was not reached has no line.
void ask_cuda_to_compute(Driver& cuda, int device_handle);

}  // namespace whygpu
