#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "host/snapshot_format.h"

// A snapshot is a recorded machine: a folder with meta.json and answers files, or the same packed
// into one `.whygpu` file (tar, zstd). Answers files are read in the order of their names.

namespace whygpu {

/// meta.json: who recorded and when.
struct SnapshotMeta {
    std::string whygpu_version;  ///< "whygpu"
    std::string recorded;        ///< UTC, 2026-12-01T12:00:00Z
    bool redacted = false;
};

/// A snapshot as it was read.
struct Snapshot {
    SnapshotMeta meta;
    Records records;
    std::vector<std::string> absent_prefixes;
};

/// Reads a snapshot, folder or file. The error names the file and, in answers, the line.
Result<Snapshot> read_snapshot(const std::string& path);

/// The same of the bytes of a `.whygpu` file.
Result<Snapshot> read_snapshot_bytes(std::string_view bytes);

/// A machine that answers as the recorded one did. A path below one that was recorded as absent, or
/// that a recorded directory listing does not hold, is absent; all else that was not recorded is
/// not_asked.
Result<std::unique_ptr<Host>> open_snapshot(const std::string& path);

/// The same of a snapshot that was read before.
std::unique_ptr<Host> make_snapshot_host(Snapshot snapshot);

/// Writes one `.whygpu` file, readable by its owner alone. A file of that name is replaced in one
/// step; anything else there, a link too, is an error and stays as it is.
Result<void> write_snapshot_file(const std::string& path, const SnapshotMeta& meta, const Records& records);

/// Writes a snapshot folder, which must not exist or be empty.
Result<void> write_snapshot_folder(const std::string& path, const SnapshotMeta& meta, const Records& records);

}  // namespace whygpu
