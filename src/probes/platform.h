#pragma once

#include <map>
#include <string>

#include "base/text.h"
#include "host/ask.h"

// What several probes ask about the running kernel. No unit: helpers of this folder are headers.

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

/// Whether a kernel release is one that Microsoft builds for WSL (5.15.153.1-microsoft-standard-WSL2,
/// 4.4.0-19041-Microsoft) or a self-built one that kept the suffix. Azure's kernels end in -azure.
inline bool is_wsl_release(std::string_view release) {
    const std::string low = lower(release);
    return contains(low, "microsoft") || contains(low, "wsl2");
}

}  // namespace whygpu::probes
