#pragma once

#include "drivers/reply.h"

namespace whygpu {

/// Asks ROCm's libamdhip64: versions, hipInit, the devices, and on device 0 a small copy there and back
/// ("copy_check"; no kernel: one would need code for each gfx target). When hipInit fails, the device nodes
/// are tried. The reply's lines are those of ask_driver.
void ask_hip(const Reply& reply);

}  // namespace whygpu
