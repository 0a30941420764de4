#include "host/redact_addresses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"

// Versions of four numbers are common on the machines that whygpu looks at: the CUDA wheels
// (cublas 12.4.5.8, curand 10.3.5.147), Windows drivers seen from WSL (32.0.15.7652), older kernels
// (4.18.0.372). An address that is kept by mistake gives a network away, a version that is taken out
// costs a diagnosis. What decides is the text directly around the numbers.

namespace whygpu {

namespace {

constexpr std::size_t word_limit = 64;

/// How words begin that a version follows.
constexpr std::array<std::string_view, 25> product_words = {
    "version", "release", "driver", "firmware", "vbios",  "bios",  "nvidia",  "cuda",  "cudnn",
    "cublas",  "nccl",    "rocm",   "hip",      "amdgpu", "linux", "lib",     "torch", "python",
    "package", "ofed",    "mlnx",   "mesa",     "gcc",    "glibc", "tensorrt"};

/// What words hold that an address follows, whatever they begin with ("nvidia_host=").
constexpr std::array<std::string_view, 11> place_words = {
    "host", "addr", "server", "node", "peer", "master", "proxy", "endpoint", "client", "gateway", "url"};

bool is_alnum(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

char char_at(std::string_view text, std::size_t at) {
    return at < text.size() ? text[at] : '\0';
}

/// "127.…", "0.0.0.0" and net masks tell about software, not about a place.
bool identifies_nobody(const std::vector<std::string_view>& parts) {
    return parts[0] == "127" || (parts[0] == "255" && parts[1] == "255") ||
           (parts[0] == "0" && parts[1] == "0" && parts[2] == "0" && parts[3] == "0");
}

bool are_address_parts(const std::vector<std::string_view>& parts) {
    return parts.size() == 4 && std::ranges::all_of(parts, [](std::string_view part) {
               const std::optional<std::int64_t> number = parse_int(part);
               return number && *number <= 255 && (part.size() == 1 || part[0] != '0');
           });
}

/// The word before a position on its line, in lower case, with the signs that join it to what
/// follows; what stands before spaces counts too.
std::string word_before(std::string_view text, std::size_t at) {
    std::string_view before = text.substr(at > word_limit ? at - word_limit : 0, std::min(at, word_limit));
    while (!before.empty() &&
           std::string_view(" \t:='\"(,<>~!-_").find(before.back()) != std::string_view::npos) {
        before.remove_suffix(1);
    }
    const std::size_t start = before.find_last_of(" \t\n\"'(,;=/");
    return lower(start == std::string_view::npos ? before : before.substr(start + 1));
}

bool follows_product(std::string_view text, std::size_t begin) {
    const std::string word = word_before(text, begin);
    const auto is_start = [&](std::string_view product) { return word.starts_with(product); };
    const auto is_part = [&](std::string_view place) { return contains(word, place); };
    const bool names_place = std::ranges::any_of(place_words, is_part) || word.ends_with("_ip");
    const bool names_product = std::ranges::any_of(product_words, is_start) || contains(word, "version");
    return names_product && !names_place;
}

/// "10.0.0.1:5000", "10.0.0.0/8"
bool has_port_or_mask(std::string_view text, std::size_t end) {
    const char next = char_at(text, end);
    return (next == ':' || next == '/') && is_digit(char_at(text, end + 1));
}

/// "1.2.3.4-1", "1.2.3.4+cu12", "1.2.3.4.5", "1.2.3.4rc1", "1.2.3.4.dist-info"
bool continues_as_version(std::string_view text, std::size_t end) {
    const char next = char_at(text, end);
    const char second = char_at(text, end + 1);
    if (is_alnum(next) || next == '+' || next == '~' || next == '_') {
        return true;
    }
    if (next == '-') {
        // A second address makes a range of addresses: "10.0.0.1-10.0.0.9".
        const std::string_view after = text.substr(end + 1, 16);
        const std::size_t stop = std::min(after.find_first_not_of("0123456789."), after.size());
        return is_alnum(second) && !are_address_parts(split(after.substr(0, stop), '.'));
    }
    return next == '.' &&
           (is_digit(second) || text.substr(end, 6) == ".dist-" || text.substr(end, 4) == ".egg");
}

bool is_group(std::string_view group) {
    return !group.empty() && group.size() <= 4 &&
           group.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// Global unicast (2…, 3…), unique local (fc, fd), link local (fe) and multicast (ff) addresses.
bool starts_like_ipv6(std::string_view address) {
    const std::string head = lower(address.substr(0, 4));
    return head.size() == 4 && is_group(head) &&
           (head[0] == '2' || head[0] == '3' || (head[0] == 'f' && head[1] >= 'c'));
}

bool is_ipv6(std::string_view address) {
    std::size_t groups = 0;
    std::size_t gaps = 0;
    for (std::string_view group : split(address, ':')) {
        gaps += group.empty() ? 1 : 0;
        groups += is_group(group) ? 1 : 0;
        if (!group.empty() && !is_group(group)) {
            return false;
        }
    }
    const bool whole = groups == 8 && gaps == 0;
    const bool shortened = gaps >= 1 && gaps <= 2 && groups >= 1 && groups <= 7 && contains(address, "::");
    return whole || (shortened && starts_like_ipv6(address));
}

}  // namespace

bool is_ipv4_address(std::string_view text, std::size_t begin, std::size_t end) {
    const std::vector<std::string_view> parts = split(text.substr(begin, end - begin), '.');
    if (!are_address_parts(parts) || identifies_nobody(parts)) {
        return false;
    }
    const char before = begin == 0 ? '\0' : text[begin - 1];
    if (is_alnum(before) || before == '.' || before == '+' || before == '~') {
        return false;
    }
    return has_port_or_mask(text, end) || (!continues_as_version(text, end) && !follows_product(text, begin));
}

std::optional<std::size_t> ipv6_start(std::string_view text, std::size_t begin, std::size_t end) {
    // "node:fe80::1" and "at:2001:db8::1": the candidate begins inside a word or with its colon.
    const auto is_inside_word = [&](std::size_t at) {
        return at > 0 && (is_alnum(text[at - 1]) || text[at - 1] == '_');
    };
    while (begin < end &&
           (is_inside_word(begin) || (text[begin] == ':' && char_at(text, begin + 1) != ':'))) {
        const std::size_t colon = text.find(':', begin);
        begin = std::min(colon == std::string_view::npos ? end : colon + 1, end);
    }
    const char after = char_at(text, end);
    const bool bounded = !is_alnum(after) && after != '_';
    return bounded && is_ipv6(text.substr(begin, end - begin)) ? std::optional<std::size_t>(begin)
                                                               : std::nullopt;
}

}  // namespace whygpu
