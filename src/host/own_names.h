#pragma once

#include <string>

#include "host/redact.h"

namespace whygpu {

/// The names of this machine and of the user who runs whygpu; what cannot be found out stays empty.
OwnNames own_names();

/// The path from the root with its links followed; as it is where nothing exists at it.
std::string absolute_path(const std::string& path);

}  // namespace whygpu
