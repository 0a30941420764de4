#pragma once

#include <exception>

namespace whygpu {

/// A bug in whygpu itself, on its way from the unit that has it to the engine, which turns it into
/// the finding `whygpu.internal` and goes on with the other units. Thrown by bug() alone.
class Bug : public std::exception {
public:
    explicit Bug(const char* what) : what_(what) {}
    const char* what() const noexcept override { return what_; }

private:
    const char* what_;
};

/// Reports a broken invariant. Builds with assertions (tests) abort at once; a release throws Bug.
/// `what` must be a literal.
[[noreturn]] void bug(const char* what);

}  // namespace whygpu
