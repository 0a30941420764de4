#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

/// A dotted version of numbers: driver 570.86.10, CUDA 12.8, compute capability 9.0, ROCm 6.2.
/// Missing parts compare as zero: 12 == 12.0.
class Version {
public:
    Version() = default;
    explicit Version(std::vector<int> parts) : parts_(std::move(parts)) {}

    /// Numbers separated by dots and nothing else ("570.86.10"); nullopt otherwise.
    static std::optional<Version> parse(std::string_view text);

    /// The leading dotted numbers of a longer text ("12.4.127-1", "6.8.0-64-generic"); nullopt when
    /// the text does not start with a digit.
    static std::optional<Version> parse_prefix(std::string_view text);

    /// The n-th part, 0 when there are fewer.
    int part(std::size_t index) const { return index < parts_.size() ? parts_[index] : 0; }
    int major() const { return part(0); }
    int minor() const { return part(1); }
    std::string text() const;

    std::strong_ordering operator<=>(const Version& other) const;
    bool operator==(const Version& other) const { return (*this <=> other) == 0; }

private:
    std::vector<int> parts_;
};

/// A Python package version (PEP 440) as far as whygpu needs it: "2.6.0.dev20250101+cu124" gives
/// release 2.6.0, pre-release true, local "cu124".
struct PythonVersion {
    Version release;
    bool pre_release = false;  ///< a, b, rc or dev
    std::string local;         ///< after '+', empty when there is none

    static std::optional<PythonVersion> parse(std::string_view text);
};

}  // namespace whygpu
