#include "base/version.h"

#include <algorithm>

#include "base/text.h"

namespace whygpu {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_local_char(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '_';
}

/// Takes the digits at the front of `rest`; an empty view when there are none.
std::string_view take_digits(std::string_view& rest) {
    std::size_t count = 0;
    while (count < rest.size() && is_digit(rest[count])) {
        ++count;
    }
    const std::string_view digits = rest.substr(0, count);
    rest.remove_prefix(count);
    return digits;
}

std::optional<int> small_number(std::string_view digits) {
    constexpr std::int64_t limit = 2'000'000'000;  // dates (20250310) are parts too
    const std::optional<std::int64_t> value = parse_int(digits);
    if (!value || *value > limit) {
        return std::nullopt;
    }
    return static_cast<int>(*value);
}

/// Takes N(.N)* from the front of `rest`, leaving a dot that no digit follows; nullopt when there is
/// no number or one is too large.
std::optional<Version> take_numbers(std::string_view& rest) {
    std::vector<int> parts;
    for (;;) {
        const std::optional<int> part = small_number(take_digits(rest));
        if (!part) {
            return std::nullopt;
        }
        parts.push_back(*part);
        if (rest.size() < 2 || rest[0] != '.' || !is_digit(rest[1])) {
            return Version(std::move(parts));
        }
        rest.remove_prefix(1);
    }
}

bool is_separator(char c) {
    return c == '.' || c == '-' || c == '_';
}

/// Takes "rc1", ".post200", "-dev": an optional separator, one of `names`, an optional separator and
/// number. PEP 440 lets all of these be written with '.', '-', '_' or nothing.
bool take_segment(std::string_view& rest, std::initializer_list<std::string_view> names) {
    std::string_view text = rest;
    if (!text.empty() && is_separator(text.front())) {
        text.remove_prefix(1);
    }
    for (const std::string_view name : names) {
        if (!text.starts_with(name)) {
            continue;
        }
        text.remove_prefix(name.size());
        if (text.size() > 1 && is_separator(text[0]) && is_digit(text[1])) {
            text.remove_prefix(1);
        }
        take_digits(text);
        rest = text;
        return true;
    }
    return false;
}

/// "1.0-1" is PEP 440's implicit post release.
void take_post(std::string_view& rest) {
    if (take_segment(rest, {"post", "rev", "r"})) {
        return;
    }
    if (rest.size() > 1 && rest[0] == '-' && is_digit(rest[1])) {
        rest.remove_prefix(1);
        take_digits(rest);
    }
}

/// Drops "1!": the packages that matter here have no epochs.
void drop_epoch(std::string_view& rest) {
    std::string_view after = rest;
    if (!take_digits(after).empty() && after.starts_with('!')) {
        rest = after.substr(1);
    }
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
    const std::optional<Version> version = take_numbers(text);
    if (!version || !text.empty()) {
        return std::nullopt;
    }
    return version;
}

std::optional<Version> Version::parse_prefix(std::string_view text) {
    return take_numbers(text);
}

std::string Version::text() const {
    std::vector<std::string> pieces;
    for (const int value : parts_) {
        pieces.push_back(std::to_string(value));
    }
    return join(pieces, ".");
}

std::strong_ordering Version::operator<=>(const Version& other) const {
    const std::size_t count = std::max(parts_.size(), other.parts_.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::strong_ordering order = part(i) <=> other.part(i);
        if (order != 0) {
            return order;
        }
    }
    return std::strong_ordering::equal;
}

std::optional<PythonVersion> PythonVersion::parse(std::string_view text) {
    const std::string normal = lower(trimmed(text));
    std::string_view rest = normal;
    if (rest.starts_with('v')) {
        rest.remove_prefix(1);
    }
    drop_epoch(rest);

    PythonVersion version;
    const std::optional<Version> release = take_numbers(rest);
    if (!release) {
        return std::nullopt;
    }
    version.release = *release;
    // Longer names first: "a" is the front of "alpha", "c" of nothing else that is left.
    const bool pre = take_segment(rest, {"alpha", "beta", "preview", "pre", "rc", "a", "b", "c"});
    take_post(rest);
    const bool development = take_segment(rest, {"dev"});
    version.pre_release = pre || development;

    if (rest.starts_with('+')) {
        version.local = rest.substr(1);
        const bool well_formed = std::all_of(version.local.begin(), version.local.end(), is_local_char);
        return well_formed && !version.local.empty() ? std::optional(version) : std::nullopt;
    }
    return rest.empty() ? std::optional(version) : std::nullopt;
}

}  // namespace whygpu
