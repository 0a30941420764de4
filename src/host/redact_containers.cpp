#include "host/redact_containers.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"

namespace whygpu {

namespace {

constexpr std::array<std::string_view, 6> daemon_keys = {"runtimes", "default-runtime", "exec-opts",
                                                         "features", "cdi-spec-dirs",   "default-shm-size"};

constexpr std::array<std::string_view, 6> containerd_keys = {
    "default_runtime_name", "runtime_type", "BinaryName", "enable_cdi", "cdi_spec_dirs", "version"};

// A runtime's arguments and environment are anybody's; its path is what counts.
Json runtimes_with_paths(const Json& runtimes) {
    Json kept = Json::object();
    for (const auto& [name, runtime] : runtimes.as_object() ? *runtimes.as_object() : Json::Object()) {
        Json one = Json::object();
        const std::string path = runtime.text("path");
        if (!path.empty()) {
            one.set("path", path);
        }
        kept.set(name, one);
    }
    return kept;
}

std::string kept_of_daemon(std::string_view text) {
    const Result<Json> json = parse_json(text);
    if (!json || !json->as_object()) {
        return trimmed(text).empty() ? "" : "unreadable\n";
    }
    Json kept = Json::object();
    for (const std::string_view key : daemon_keys) {
        if (const Json* value = json->find(key)) {
            kept.set(key, key == "runtimes" ? runtimes_with_paths(*value) : *value);
        }
    }
    return to_text(kept, 2) + "\n";
}

bool tells_of_runtimes(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('[')) {
        return contains(line, ".runtimes.") && !contains(line, "registry");
    }
    const std::string_view key = trimmed(line.substr(0, line.find('=')));
    return std::ranges::find(containerd_keys, key) != containerd_keys.end();
}

std::string kept_of_containerd(std::string_view text) {
    std::string kept;
    for (const std::string_view line : lines_of(text)) {
        if (tells_of_runtimes(line)) {
            kept += std::string(line) + "\n";
        }
    }
    return kept;
}

}  // namespace

bool is_container_configuration(std::string_view path) {
    return path == "/etc/docker/daemon.json" || (contains(path, "/containerd/") && path.ends_with(".toml"));
}

std::string kept_container_settings(std::string_view path, std::string_view text) {
    return path.ends_with(".json") ? kept_of_daemon(text) : kept_of_containerd(text);
}

}  // namespace whygpu
