#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "facts/facts.h"
#include "host/host.h"
#include "units/library.h"

namespace whygpu {

/// Asks the machine everything: every probe in a thread of its own, so that one that hangs costs its
/// own section only. Sections whose probe has not ended by the deadline are timed_out; their threads
/// are left behind holding `host`, and the program must end without joining them (cli/main.cpp).
Facts collect(const std::shared_ptr<Host>& host, const std::vector<ProbeUnit>& probes,
              std::chrono::steady_clock::time_point deadline);

}  // namespace whygpu
