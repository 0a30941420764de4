#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace whygpu {

/// Base64 (RFC 4648) in lines of 76 characters, each ended by a line feed.
std::string to_base64(std::string_view bytes);

/// The inverse; spaces and line ends are skipped. nullopt when the text is no base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace whygpu
