#include "host/paths.h"

#include <algorithm>
#include <deque>

#include "base/text.h"
#include "host/ask.h"

namespace whygpu {

namespace {

constexpr std::size_t directories_limit = 100;
constexpr std::size_t parts_limit = 256;
constexpr int links_limit = 40;  // as many as the kernel follows
constexpr std::string_view redacted_home = "<home>";

/// Puts the parts of a path in front of those still to go.
void put_in_front(std::string_view path, std::deque<std::string>& parts) {
    std::vector<std::string> fresh;
    for (std::string_view part : split(path, '/')) {
        if (!part.empty() && part != ".") {
            fresh.emplace_back(part);
        }
    }
    parts.insert(parts.begin(), fresh.begin(), fresh.end());
}

/// Where an absolute path starts; "<home>" is a part like any other.
std::string start_of(std::string_view path) {
    return path.starts_with('/') ? "/" : "";
}

std::string below(const std::string& directory, const std::string& part) {
    return directory.empty() || directory.ends_with('/') ? directory + part : directory + "/" + part;
}

}  // namespace

bool is_absolute_path(std::string_view path) {
    return path.starts_with('/') || path.starts_with(redacted_home);
}

std::string parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return "";
    }
    return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string last_part_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::vector<std::string> directories_in(std::string_view list, std::string_view separators) {
    std::vector<std::string> directories;
    while (!list.empty() && directories.size() < directories_limit) {
        const std::size_t end = std::min(list.find_first_of(separators), list.size());
        std::string_view entry = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        while (entry.size() > 1 && entry.ends_with('/')) {
            entry.remove_suffix(1);
        }
        if (is_absolute_path(entry) && std::ranges::find(directories, entry) == directories.end()) {
            directories.emplace_back(entry);
        }
    }
    return directories;
}

std::vector<std::string> inside_each(const std::vector<std::string>& directories, std::string_view name) {
    std::vector<std::string> paths;
    for (const std::string& directory : directories) {
        paths.push_back(below(directory, std::string(name)));
    }
    return paths;
}

Known<std::string> first_existing(Host& host, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        const Known<bool> there = exists(host, path);
        if (there.is(true)) {
            return {path, there.source()};
        }
        if (!there && there.why() != Missing::denied) {
            return Known<std::string>::missing_like(there);
        }
    }
    const std::string name = paths.empty() ? "it" : last_part_of(paths.front());
    return Known<std::string>::missing(Missing::absent, name + " is in none of the directories searched");
}

Known<std::string> resolved_path(Host& host, const std::string& path) {
    std::deque<std::string> parts;
    put_in_front(path, parts);
    std::string done = start_of(path);
    for (int links = 0; !parts.empty() && parts.size() <= parts_limit;) {
        const std::string part = std::move(parts.front());
        parts.pop_front();
        if (part == "..") {
            done = parent_of(done);
            continue;
        }
        const std::string here = below(done, part);
        const Known<std::string> target = link_target(host, here);
        if (target && ++links > links_limit) {
            return Known<std::string>::missing(Missing::malformed, "links in a circle", {path, 0, ""});
        }
        if (!target && target.why() == Missing::absent) {
            return Known<std::string>::missing(
                Missing::absent, "it leads to " + here + ", which does not exist", {path, 0, ""});
        }
        if (!target) {
            done = here;
            continue;
        }
        put_in_front(*target, parts);
        done = is_absolute_path(*target) ? start_of(*target) : done;
    }
    if (!parts.empty()) {
        return Known<std::string>::missing(Missing::malformed, "the path is too long", {path, 0, ""});
    }
    return {done, Source{path, 0, done == path ? path : path + " -> " + done}};
}

}  // namespace whygpu
