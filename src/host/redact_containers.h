#pragma once

#include <string>
#include <string_view>

namespace whygpu {

/// Whether a path is a configuration of Docker or containerd, which may hold names of registries and
/// proxies and the passwords for them.
bool is_container_configuration(std::string_view path);

/// Of such a file only what tells how containers get a GPU: runtimes, CDI and cgroup settings. What
/// cannot be parsed becomes one word that cannot be parsed either. Idempotent.
std::string kept_container_settings(std::string_view path, std::string_view text);

}  // namespace whygpu
