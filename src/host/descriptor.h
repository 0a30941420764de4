#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace whygpu {

/// Owns a file descriptor and closes it.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }

    /// The number, negative when there is none.
    int get() const { return number_; }
    bool valid() const { return number_ >= 0; }

    /// Gives the number away without closing it.
    int release();

    /// Closes it now.
    void reset();

private:
    int number_ = -1;
};

/// Bytes read, and the errno that ended the reading early (0: the end, or the limit, was reached).
struct ReadBytes {
    std::string text;
    bool truncated = false;
    int error = 0;
};

/// Reads from where the descriptor stands to its end, at most `limit` bytes. EAGAIN counts as the end.
ReadBytes read_to_end(const Descriptor& file, std::size_t limit);

/// Writes all of it; errno, 0 when it was written.
int write_all(const Descriptor& file, std::string_view bytes);

}  // namespace whygpu
