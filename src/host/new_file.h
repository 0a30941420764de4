#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// The only writing that whygpu does below cli/: what the user asked to be written, where he said.

namespace whygpu {

/// Writes a file that only its owner may read, or replaces a regular file by it in one step. The
/// parent must exist; a link, device or folder at `path` is an error and stays untouched.
Result<void> write_private_file(const std::string& path, std::string_view bytes);

/// Makes a folder for its owner alone; one that exists must be empty.
Result<void> make_empty_folder(const std::string& path);

}  // namespace whygpu
