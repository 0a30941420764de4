#pragma once

#include <memory>
#include <string>

#include "host/host.h"

namespace whygpu {

/// How long the live machine may take to answer, and who asks its driver libraries.
struct LiveOptions {
    int command_timeout_ms = 3000;
    int driver_timeout_ms = 8000;
    std::string self_path = "/proc/self/exe";  ///< run as `whygpu _ask NAME`
};

/// The machine that this process runs on. Nothing on it is changed.
std::unique_ptr<Host> make_live_host(LiveOptions options);

}  // namespace whygpu
