#pragma once

#include <map>
#include <string>

#include "host/ask.h"

namespace whygpu::probes {

/// One value that uname gives: "release" or "machine"; malformed when uname did not say it.
inline Known<std::string> platform_value(Host& host, const std::string& key) {
    const Known<std::map<std::string, std::string>> platform = key_values(host, QueryKind::platform);
    if (!platform) {
        return Known<std::string>::missing_like(platform);
    }
    const auto found = platform->find(key);
    if (found == platform->end()) {
        return Known<std::string>::missing(Missing::malformed, "uname did not say its " + key,
                                           platform.source());
    }
    return Known<std::string>(found->second, Source{"uname", 0, found->second});
}

/// Whether a kernel release is one that Microsoft builds for WSL: 5.15.153.1-microsoft-standard-WSL2,
/// 4.4.0-19041-Microsoft, or a self-built one that kept the suffix. Azure kernels end in -azure.
bool is_wsl_release(std::string_view release);

}  // namespace whygpu::probes
