#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"

namespace whygpu::probes::nodes {

namespace {

using Node = NodeFacts::Node;
using Groups = std::map<std::int64_t, std::string>;

constexpr std::size_t nodes_limit = 512;

/// Names by group id. Without /etc/group, groups are known by their numbers.
Groups group_names(Host& host) {
    Groups names;
    const Known<std::string> content = read_file(host, "/etc/group");
    if (!content) {
        return names;
    }
    for (std::string_view line : lines_of(*content)) {
        const std::vector<std::string_view> fields = split(line, ':');  // render:x:109:alice
        const std::optional<std::int64_t> id = fields.size() < 3 ? std::nullopt : parse_int(fields[2]);
        if (id) {
            names.emplace(*id, fields[0]);
        }
    }
    return names;
}

std::string octal(int mode) {
    return fmt::format("{:04o}", mode & 07777);
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_gpu_node(std::string_view name) {
    constexpr std::array fixed = {"nvidiactl",      "nvidia-uvm", "nvidia-uvm-tools",
                                  "nvidia-modeset", "kfd",        "dxg"};
    const std::optional<std::string_view> number = after_prefix(name, "nvidia");
    return std::ranges::find(fixed, name) != fixed.end() || (number && is_number(*number));
}

/// A node that can be seen but not be asked about has a path and nothing more.
Node node_at(Host& host, const std::string& path, const Groups& groups) {
    const Known<FileStatus> status = file_status(host, path);
    Node node;
    node.path = Known<std::string>(path, Source{path, 0, status.source().text});
    if (!status) {
        node.mode = Known<std::string>::missing_like(status);
        node.owner_group = Known<std::string>::missing_like(status);
        node.usable = Known<bool>::missing_like(status);
        return node;
    }
    const auto name = groups.find(status->gid);
    node.mode = Known<std::string>(octal(status->mode), status.source());
    node.owner_group = Known<std::string>(name == groups.end() ? std::to_string(status->gid) : name->second,
                                          status.source());
    node.usable =
        Known<bool>(status->type == "char" && status->readable && status->writable, status.source());
    return node;
}

/// The paths of the nodes in a folder of /dev, or the folder's own path when it may not be listed, so
/// that the report shows it as a node about which nothing is known.
std::vector<std::string> nodes_inside(Host& host, const std::string& folder, std::string_view prefix) {
    const Known<std::vector<std::string>> names = list_directory(host, folder);
    if (!names) {
        return names.why() == Missing::absent ? std::vector<std::string>{} : std::vector<std::string>{folder};
    }
    std::vector<std::string> paths;
    for (const std::string& name : *names) {
        if (name.starts_with(prefix)) {
            paths.push_back(folder + "/" + name);
        }
    }
    return paths;
}

std::vector<std::string> node_paths(Host& host, const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) {
        const std::string path = "/dev/" + name;
        std::vector<std::string> inside;
        if (is_gpu_node(name)) {
            inside = {path};
        } else if (name == "nvidia-caps") {
            inside = nodes_inside(host, path, "");
        } else if (name == "dri") {
            inside = nodes_inside(host, path, "renderD");
        }
        paths.insert(paths.end(), inside.begin(), inside.end());
    }
    paths.resize(std::min(paths.size(), nodes_limit));
    return paths;
}

}  // namespace

// Permission bits alone do not tell whether a user may open a node: ACLs of logind and the groups
// of the running process count too. So the kernel is asked (access), which opens nothing.
void probe(Host& host, Facts& facts) {
    using Nodes = std::vector<Node>;
    const Known<std::vector<std::string>> names = list_directory(host, "/dev");
    if (!names) {
        facts.nodes.nodes = Known<Nodes>::missing_like(names);
        return;
    }
    const Groups groups = group_names(host);
    Nodes nodes;
    for (const std::string& path : node_paths(host, *names)) {
        nodes.push_back(node_at(host, path, groups));
    }
    facts.nodes.nodes = Known<Nodes>(std::move(nodes), Source{"/dev", 0, ""});
}

}  // namespace whygpu::probes::nodes
