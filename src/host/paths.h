#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"

// Looking for files as shells and loaders do: along lists of directories and through links.

namespace whygpu {

/// Whether a path starts at the root, or at the "<home>" that stands for it in a redacted snapshot.
bool is_absolute_path(std::string_view path);

/// The path without its last part ("/" above the first one) / the last part.
std::string parent_of(std::string_view path);
std::string last_part_of(std::string_view path);

/// The absolute directories of a list such as PATH, in order, each once and without a last '/', at
/// most 100. Any of the characters of `separators` ends an entry.
std::vector<std::string> directories_in(std::string_view list, std::string_view separators);

/// The list made of directory + "/" + name for each directory.
std::vector<std::string> inside_each(const std::vector<std::string>& directories, std::string_view name);

/// The first of the paths at which something exists, as it stands in the list. Absent when nothing is
/// there. What may not be looked up is not found by a loader either and passed over; any other
/// missing answer ends the search, for what lies there would come first.
Known<std::string> first_existing(Host& host, const std::vector<std::string>& paths);

/// The path with all links on it followed, at most 40, and without "." and "..". Absent when it leads
/// nowhere, malformed for links in a circle. A part that nobody asked about stays as it is.
Known<std::string> resolved_path(Host& host, const std::string& path);

}  // namespace whygpu
