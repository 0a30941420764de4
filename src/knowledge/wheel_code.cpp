#include "knowledge/wheel_code.h"

#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "knowledge/torch_advice.h"

namespace whygpu {

namespace {

std::string text_of(const WheelCode& code) {
    std::string text = join(code.sm, " ");
    for (const std::string& ptx : code.ptx) {
        text += ", PTX " + ptx;
    }
    return text;
}

// The lowest capability that the code names.
Version lowest_target(const WheelCode& code) {
    std::optional<Version> lowest;
    for (const std::string& target : code.sm) {
        const Version capability = capability_of_target(target);
        if (capability.major() > 0 && (!lowest || capability < *lowest)) {
            lowest = capability;
        }
    }
    return lowest.value_or(Version());
}

void sort_gpus(WheelCheck& check, const Facts& facts, const Knowledge& tables) {
    const WheelCode& code = *check.torch->code;
    const Version lowest = lowest_target(code);
    bool any_unknown = false;
    for (const Gpu& gpu : gpus_of(facts, tables)) {
        if (gpu.vendor != "nvidia" || !gpu.capable) {
            continue;
        }
        if (!gpu.compute_capability) {
            any_unknown = true;
            continue;
        }
        const CodeFit fit = code_fit(code, *gpu.compute_capability);
        if (fit == CodeFit::native || fit == CodeFit::ptx) {
            check.kind = WheelCheck::Kind::fits;
            return;
        }
        any_unknown = any_unknown || fit == CodeFit::unknown;
        if (fit == CodeFit::none) {
            (*gpu.compute_capability < lowest ? check.too_old : check.too_new).push_back(gpu);
        }
    }
    const bool found = !check.too_old.empty() || !check.too_new.empty();
    check.kind = found && !any_unknown ? WheelCheck::Kind::gap : WheelCheck::Kind::unknown;
}

}  // namespace

WheelCheck check_wheel_code(const Facts& facts, const Knowledge& tables) {
    WheelCheck check;
    const bool no_torch = !facts.python.torch_version && facts.python.torch_version.why() == Missing::absent;
    if (no_torch || facts.python.torch_cuda.is("none")) {
        check.kind = WheelCheck::Kind::no_cuda_torch;
        return check;
    }
    check.torch = installed_torch(facts, tables);
    if (!check.torch || !check.torch->code) {
        return check;
    }
    check.code_text = text_of(*check.torch->code);
    sort_gpus(check, facts, tables);
    return check;
}

std::map<std::string, std::string> wheel_code_args(const WheelCheck& check, const Gpu& gpu,
                                                   const Facts& facts, const Knowledge& tables) {
    std::map<std::string, std::string> args = torch_advice(facts, tables, gpu);
    args["gpu"] = gpu.name;
    args["capability"] = gpu.compute_capability->text();
    args["torch"] = check.torch->version_text;
    args["tag"] = check.torch->tag;
    args["code"] = check.code_text;
    return args;
}

}  // namespace whygpu
