#pragma once

#include <compare>
#include <optional>
#include <string>

#include "base/known.h"

namespace whygpu {

/// What can be asked of a machine. The meaning of Query::argument and of Answer::text is given with
/// each kind; text is raw bytes, at most a few MiB.
enum class QueryKind {
    file,        ///< absolute path → content
    directory,   ///< absolute path → entry names, sorted, one a line
    link,        ///< absolute path → target of the symbolic link
    status,      ///< absolute path → "type=char mode=0666 uid=0 gid=0 major=195 minor=0 access=rw"
                 ///< (links are followed; type=link is one whose target is gone; access=none, r, w or rw)
    variables,   ///< "" → the environment, NAME=VALUE a line (newlines in values become spaces)
    user,        ///< "" → "uid=1000 gid=1000 groups=1000,44,109"
    platform,    ///< "" → "sysname=Linux release=6.8.0-64-generic machine=x86_64"
    command,     ///< a command line of the allow-list → its standard output and error, mixed
    kernel_log,  ///< "" → the kernel's ring buffer, a message a line, "[seconds] text"
    pci_name,    ///< "10de:2b85" → "GB202 [GeForce RTX 5090]" from the pci.ids of the machine
    driver,      ///< "cuda", "nvml", "hip" or "opencl" → what our child `whygpu _ask` printed, JSON a line
};

/// The identifier used in snapshots: "file", "directory", … ("kernel_log", "pci_name").
std::string_view name_of(QueryKind kind);
std::optional<QueryKind> query_kind_from(std::string_view name);  ///< nullopt for any other text

/// One question. Two of them are equal when a machine must answer them equally.
struct Query {
    QueryKind kind = QueryKind::file;
    std::string argument;
    auto operator<=>(const Query&) const = default;
};

/// What a machine answered. `missing` says why there is no (complete) answer; a child that crashed
/// or timed out still leaves what it had printed in `text`.
struct Answer {
    std::optional<Missing> missing;
    std::string because;  ///< one sentence fragment when `missing` is set
    std::string text;
    int exit_code = 0;       ///< of a command or driver child that ended by itself
    bool truncated = false;  ///< text was cut at the size limit
    bool operator==(const Answer&) const = default;
};

/// A machine that answers questions with text: the live one, a recorded one, an unpacked tree or
/// none. Answers are safe to ask for from several threads at once and never throw.
class Host {
public:
    virtual ~Host() = default;
    virtual Answer answer(const Query& query) = 0;
};

}  // namespace whygpu
