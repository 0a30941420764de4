#include "host/recording.h"

namespace whygpu {

Answer RecordingHost::answer(const Query& query) {
    {
        const std::lock_guard lock(mutex_);
        const auto found = records_.find(query);
        if (found != records_.end()) {
            return found->second;
        }
    }
    // Asked without the lock: a slow driver must not hold up the other questions. If two threads ask
    // the same at the same moment, both get the answer that came first.
    Answer answer = host_.answer(query);
    const std::lock_guard lock(mutex_);
    return records_.emplace(query, std::move(answer)).first->second;
}

Records RecordingHost::records() const {
    const std::lock_guard lock(mutex_);
    return records_;
}

}  // namespace whygpu
