#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace whygpu {

/// A file of a snapshot: a plain file name without folders, and its bytes.
struct Member {
    std::string name;
    std::string bytes;
};

/// What one snapshot may hold: that many files, that many bytes in all of them.
inline constexpr std::size_t members_limit = 64;
inline constexpr std::size_t members_bytes_limit = std::size_t{64} << 20;

/// Whether a name is a file name that stays in the folder where it is put: no '/', no "..", no
/// leading dot, no control characters.
bool is_plain_name(std::string_view name);

/// Unpacks a tar+zstd file into memory. Anything but regular files with plain names, each once and
/// within the limits, is an error: such a file was not written by whygpu.
Result<std::vector<Member>> read_archive(const std::string& path);

/// The same of the bytes of such a file.
Result<std::vector<Member>> read_archive_bytes(std::string_view bytes);

/// The bytes of a tar+zstd file; equal members give equal bytes. too_large beyond the limits.
Result<std::string> make_archive(const std::vector<Member>& members);

/// The regular files of a folder that are part of a snapshot (meta.json, *.answers), by name.
Result<std::vector<Member>> read_folder(const std::string& path);

}  // namespace whygpu
