#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bug.h"

namespace whygpu {

/// The ways not to know a fact. They are different answers and never zero or empty.
enum class Missing {
    absent,       ///< the file, variable, device or command is not there
    denied,       ///< it is there and may not be read by this user
    unsupported,  ///< the device or driver says that it has no such thing
    malformed,    ///< it was read and makes no sense
    timed_out,    ///< no answer within the deadline
    crashed,      ///< the process that asked died
    not_asked,    ///< nobody asked (a replay that never recorded it, a step that was skipped)
};

/// The identifier used in JSON, in unit cases and in snapshots: "absent", "timed_out", …
std::string_view name_of(Missing why);

/// The inverse of name_of; nullopt for any other text.
std::optional<Missing> missing_from(std::string_view name);

/// Where a fact was read: a path, command or call; the 1-based line there (0 when it has none) and
/// the raw line itself, as evidence.
struct Source {
    std::string origin;
    int line = 0;
    std::string text;
};

/// A fact: a value with its source, or the reason why there is none with a sentence about it.
/// A default-made Known is not_asked. Reading the value of a missing fact is a bug.
template <class T>
class Known {
public:
    Known() = default;
    Known(T value, Source source = {}) : value_(std::move(value)), source_(std::move(source)) {}

    /// A missing fact; `because` is one English sentence fragment naming what happened.
    static Known missing(Missing why, std::string because, Source source = {}) {
        Known fact;
        fact.why_ = why;
        fact.because_ = std::move(because);
        fact.source_ = std::move(source);
        return fact;
    }

    /// Missing for the same reason as another fact.
    template <class Other>
    static Known missing_like(const Known<Other>& other) {
        return missing(other.why(), other.because(), other.source());
    }

    bool known() const { return value_.has_value(); }
    explicit operator bool() const { return known(); }

    /// The value; a bug when it is missing.
    const T& value() const {
        if (!known()) {
            bug("the value of a missing fact was read");
        }
        return *value_;
    }
    const T& operator*() const { return value(); }
    const T* operator->() const { return &value(); }

    /// True when known and equal: the safe question for a rule.
    bool is(const T& wanted) const { return known() && *value_ == wanted; }

    /// Meaningless for a known fact.
    Missing why() const { return why_; }
    const std::string& because() const { return because_; }
    const Source& source() const { return source_; }

private:
    std::optional<T> value_;
    Missing why_ = Missing::not_asked;
    std::string because_ = "not asked";
    Source source_;
};

}  // namespace whygpu
