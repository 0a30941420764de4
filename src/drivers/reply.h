#pragma once

#include "base/json.h"

namespace whygpu {

/// The lines that the child prints. Nothing is buffered: what was written survives a crash in the next
/// call.
class Reply {
public:
    /// Writes to `fd`, which stays open and is not owned.
    explicit Reply(int fd) : fd_(fd) {}

    /// Writes one object as one line; a reader that went away is not an error.
    void write(const Json& line) const;

private:
    int fd_;
};

}  // namespace whygpu
