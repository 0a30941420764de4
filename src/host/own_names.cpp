#include "host/own_names.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace whygpu {

OwnNames own_names() {
    OwnNames names;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) == 0) {
        names.host = host.data();
    }
    if (const passwd* user = getpwuid(getuid())) {
        names.user = user->pw_name;
        names.home = user->pw_dir;
    }
    return names;
}

std::string absolute_path(const std::string& path) {
    char* const resolved = realpath(path.c_str(), nullptr);
    const std::string absolute = resolved == nullptr ? path : resolved;
    std::free(resolved);
    return absolute;
}

}  // namespace whygpu
