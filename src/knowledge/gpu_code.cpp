#include "knowledge/gpu_code.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace whygpu {

// How CUDA names code (nvcc documentation, "GPU compilation"): sm_XY is machine code for capability
// X.Y, the last digit being the minor. Machine code is upward compatible within a major version.
// With the suffix a it uses features of exactly that chip; with f, of the chips of its family, which
// are those of the same major with the same or a higher minor. compute_XY is PTX, an assembly that the
// driver compiles for X.Y and everything newer; PTX with a suffix is bound like machine code.

namespace {

struct Target {
    Version capability;
    bool ptx = false;
    char suffix = ' ';  // 'a', 'f' or none
};

std::optional<Target> parse_target(std::string_view text) {
    Target target;
    std::optional<std::string_view> number = after_prefix(text, "sm_");
    if (!number) {
        number = after_prefix(text, "compute_");
        target.ptx = true;
    }
    if (!number || number->empty()) {
        return std::nullopt;
    }
    std::string_view digits = *number;
    if (digits.back() == 'a' || digits.back() == 'f') {
        target.suffix = digits.back();
        digits.remove_suffix(1);
    }
    const std::optional<std::int64_t> value = parse_int(digits);
    if (!value || *value < 10 || *value > 9999) {
        return std::nullopt;
    }
    target.capability = Version({static_cast<int>(*value / 10), static_cast<int>(*value % 10)});
    return target;
}

bool same_family(const Version& code, const Version& gpu) {
    return code.major() == gpu.major() && code.minor() <= gpu.minor();
}

bool runs_natively(const Target& target, const Version& gpu) {
    const bool exact_only =
        target.suffix == 'a' || is_jetson_capability(gpu) || is_jetson_capability(target.capability);
    return exact_only ? target.capability == gpu : same_family(target.capability, gpu);
}

bool can_be_compiled(const Target& target, const Version& gpu) {
    if (target.suffix == 'a') {
        return target.capability == gpu;
    }
    return target.suffix == 'f' ? same_family(target.capability, gpu) : target.capability <= gpu;
}

}  // namespace

bool is_jetson_capability(const Version& compute_capability) {
    // The tegra rows of nvidia_chips, which the tests compare; 10.1 is what CUDA 12 calls 11.0.
    static const std::array<Version, 7> jetson = {Version({3, 2}), Version({5, 3}), Version({6, 2}),
                                                  Version({7, 2}), Version({8, 7}), Version({10, 1}),
                                                  Version({11, 0})};
    return std::find(jetson.begin(), jetson.end(), compute_capability) != jetson.end();
}

Version capability_of_target(std::string_view target) {
    const std::optional<Target> parsed = parse_target(target);
    return parsed ? parsed->capability : Version();
}

CodeFit code_fit(const WheelCode& code, const Version& compute_capability) {
    std::vector<std::string> names = code.sm;
    names.insert(names.end(), code.ptx.begin(), code.ptx.end());
    CodeFit fit = CodeFit::unknown;
    for (const std::string& name : names) {
        const std::optional<Target> target = parse_target(name);
        if (!target) {
            continue;
        }
        if (!target->ptx && runs_natively(*target, compute_capability)) {
            return CodeFit::native;
        }
        if (target->ptx && can_be_compiled(*target, compute_capability)) {
            fit = CodeFit::ptx;
        } else if (fit == CodeFit::unknown) {
            fit = CodeFit::none;
        }
    }
    return fit;
}

}  // namespace whygpu
