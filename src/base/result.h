#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace whygpu {

/// Why an operation failed, coarse enough for a caller to decide by.
enum class ErrorCode { invalid_input, not_found, denied, unsupported, too_large, timed_out, io, internal };

/// A failed operation: the code to decide by, the message to show (one sentence, no full stop).
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
};

/// An operation's value or its Error. Our own name over tl::expected so that the library can be
/// replaced in one place. For facts that may be unknown use Known<T> instead.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

/// The failing half of a Result: `return fail(ErrorCode::io, "…")`.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Passes an error on with the caller's context in front: "reading F: no such file".
inline tl::unexpected<Error> fail(const Error& cause, std::string_view context) {
    return fail(cause.code, std::string(context) + ": " + cause.message);
}

}  // namespace whygpu
