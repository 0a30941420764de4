#pragma once

#include <optional>
#include <string>

#include "host/descriptor.h"
#include "host/host.h"

struct stat;

// What live machine and unpacked tree have in common once a path has become a file descriptor.

namespace whygpu {

/// Bytes of one answer at most.
inline constexpr std::size_t answer_limit_bytes = std::size_t{4} << 20;

/// An answer that is missing.
Answer missing_answer(Missing why, std::string because);

/// The answer for a failed system call: absent for ENOENT and ENOTDIR, denied for EACCES and EPERM,
/// unsupported for ENODEV, EINVAL and their like, malformed for the rest; errno's text is the reason.
Answer answer_for_errno(int error);

/// Nothing, or the answer to give because a query's path is not absolute, too long or holds a NUL.
std::optional<Answer> refused_path(const std::string& path);

/// Why a file of this kind is not read (a FIFO or device may block or act when it is opened);
/// nothing for a regular file.
std::optional<Answer> refused_kind(const struct stat& status);

/// The content of an open file, which must be a regular one.
Answer content_of(const Descriptor& file);

/// The entry names of an open directory, sorted; at most 20000.
Answer entries_of(Descriptor directory);

/// The text of a QueryKind::status answer.
std::string status_text(const struct stat& status, bool readable, bool writable);

}  // namespace whygpu
