#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

// Telling addresses from versions. Positions are those of a candidate inside its text.

namespace whygpu {

/// Whether four dotted numbers at [begin, end) are an IPv4 address of somebody. They are not when a
/// part exceeds 255 or has a leading zero, when they belong to a longer version, when the word
/// before names a product ("nvidia-curand-cu12 10.3.5.147"), or for loopback and "any".
bool is_ipv4_address(std::string_view text, std::size_t begin, std::size_t end);

/// Where inside the hexadecimal groups and colons at [begin, end) an IPv6 address beyond this machine
/// starts; nullopt when there is none. PCI addresses, times and C++ names are none.
std::optional<std::size_t> ipv6_start(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace whygpu
