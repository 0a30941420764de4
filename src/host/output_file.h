#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace whygpu {

/// Writes a text to a file, replacing what it held; with the usual permissions of new files.
Result<void> write_text_file(const std::string& path, std::string_view text);

}  // namespace whygpu
