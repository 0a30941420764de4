#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "host/host.h"

namespace whygpu {

/// An unpacked root file system (a container image, a mounted disk) as a machine: files,
/// directories, links and status beneath `directory`. No symbolic link leads out of it; absolute
/// ones start at `directory`. Whatever needs a running system is not_asked. Fails when `directory`
/// cannot be opened.
Result<std::unique_ptr<Host>> make_tree_host(const std::string& directory);

}  // namespace whygpu
