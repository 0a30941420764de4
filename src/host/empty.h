#pragma once

#include <memory>

#include "host/host.h"

namespace whygpu {

/// No machine at all: every answer is not_asked. For pasted text that is judged alone.
std::unique_ptr<Host> make_empty_host();

}  // namespace whygpu
