#include "drivers/nodes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"

// A driver that cannot open its nodes says no more than "no device" or "unknown error". The errno says which
// it is: EACCES the file's mode or an access module (SELinux), EPERM the device rule of a cgroup although
// the mode allows it, ENOENT no node, ENXIO or ENODEV a node without a driver behind it, EIO a card that
// fell off the bus.

namespace whygpu {

namespace {

constexpr std::size_t max_nodes = 64;
constexpr std::size_t max_names = 4096;

// PREFIX with a number behind it, in a directory; sorted.
std::vector<std::string> numbered(const char* directory, std::string_view prefix) {
    std::vector<std::string> paths;
    std::size_t seen = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const std::optional<std::string_view> number = after_prefix(name, prefix);
        if (number && parse_int(*number)) {
            paths.push_back(entry->path().string());
        }
        if (++seen == max_names || paths.size() == max_nodes) {
            break;
        }
    }
    std::ranges::sort(paths);
    return paths;
}

std::vector<std::string> nodes_of(std::string_view vendor) {
    std::vector<std::string> nodes;
    if (vendor == "amd") {
        nodes = numbered("/dev/dri", "renderD");
        nodes.insert(nodes.begin(), "/dev/kfd");
        return nodes;
    }
    // WSL and Jetson reach the GPU through nodes of their own and have none of the others.
    for (const char* other : {"/dev/dxg", "/dev/nvmap", "/dev/nvhost-ctrl-gpu"}) {
        if (access(other, F_OK) == 0) {
            nodes.emplace_back(other);
        }
    }
    if (!nodes.empty()) {
        return nodes;
    }
    nodes = numbered("/dev", "nvidia");
    if (nodes.empty()) {
        nodes.emplace_back("/dev/nvidia0");
    }
    nodes.insert(nodes.begin(), {"/dev/nvidiactl", "/dev/nvidia-uvm"});
    return nodes;
}

int open_error(const std::string& path) {
    const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return errno;
    }
    close(fd);
    return 0;
}

}  // namespace

void report_nodes(const Reply& reply, std::string_view vendor) {
    for (const std::string& path : nodes_of(vendor)) {
        Json begin = Json::object();
        begin.set("begin", "open");
        begin.set("path", path);
        reply.write(begin);
        const int error = open_error(path);
        Json line = Json::object();
        line.set("call", "open");
        line.set("path", path);
        line.set("errno", error);
        if (error != 0) {
            const char* name = strerrorname_np(error);
            line.set("name", name != nullptr ? name : "errno " + std::to_string(error));
        }
        reply.write(line);
    }
}

}  // namespace whygpu
