#include "drivers/reply.h"

#include <unistd.h>
#include <cerrno>

namespace whygpu {

void Reply::write(const Json& line) const {
    const std::string text = to_text(line) + "\n";
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(fd_, rest.data(), rest.size());
        if (written > 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            return;
        }
    }
}

}  // namespace whygpu
