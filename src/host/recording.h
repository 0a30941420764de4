#pragma once

#include <mutex>

#include "host/host.h"
#include "host/snapshot_format.h"

namespace whygpu {

/// A host that asks another and keeps every answer. A question is asked once: its answer comes from
/// the record afterwards, so that a replay sees exactly what this run saw.
class RecordingHost : public Host {
public:
    /// The other host must live as long as this one.
    explicit RecordingHost(Host& host) : host_(host) {}

    Answer answer(const Query& query) override;

    /// Everything asked so far, by query.
    Records records() const;

private:
    Host& host_;
    mutable std::mutex mutex_;
    Records records_;
};

}  // namespace whygpu
