#pragma once

#include <string_view>

#include "drivers/reply.h"

namespace whygpu {

/// Tries to open the device nodes that a vendor's driver needs ("nvidia" or "amd"), for reading and
/// writing as the driver does, and writes a line for each, named after the call:
///   {"begin":"open","path":"/dev/nvidiactl"}
///   {"call":"open","path":"/dev/nvidiactl","errno":13,"name":"EACCES"}
/// errno is 0 and there is no name when it opens. Only for use after the driver has failed: opening the
/// node of a GPU starts it.
void report_nodes(const Reply& reply, std::string_view vendor);

}  // namespace whygpu
