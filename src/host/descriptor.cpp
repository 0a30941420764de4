#include "host/descriptor.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace whygpu {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        reset();
        number_ = other.release();
    }
    return *this;
}

int Descriptor::release() {
    return std::exchange(number_, -1);
}

void Descriptor::reset() {
    if (number_ >= 0) {
        close(std::exchange(number_, -1));
    }
}

ReadBytes read_to_end(const Descriptor& file, std::size_t limit) {
    ReadBytes bytes;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count = read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0 && errno != EAGAIN) {
            bytes.error = errno;
        }
        if (count <= 0) {
            return bytes;
        }
        const std::size_t room = limit - bytes.text.size();
        bytes.text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
        if (static_cast<std::size_t>(count) > room) {
            bytes.truncated = true;
            return bytes;
        }
    }
}

int write_all(const Descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

}  // namespace whygpu
