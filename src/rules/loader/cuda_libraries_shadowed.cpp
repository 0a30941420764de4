#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::loader::cuda_libraries_shadowed {

namespace {

using Library = LoaderFacts::Library;

// A library and the wheel that brings it: libcudnn.so.9 comes with nvidia-cudnn-cu12.
struct Pair {
    std::string_view file;
    std::string_view wheel;
};

constexpr std::array pairs = {Pair{"libcublas", "nvidia-cublas"}, Pair{"libcudart", "nvidia-cuda-runtime"},
                              Pair{"libnccl", "nvidia-nccl"}};

std::string name_in(std::string_view path) {
    const std::string_view file = path.substr(path.rfind('/') + 1);
    return std::string(file.substr(0, file.find(".so")));
}

// Wheels of one environment carry one CUDA major version; the first is the one that torch asks for.
const PythonFacts::Package* wheel_of(const PythonFacts& python, const std::string& library) {
    const auto pair = std::ranges::find_if(pairs, [&](const Pair& one) { return one.file == library; });
    if (pair == pairs.end()) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(*python.packages, [&](const PythonFacts::Package& package) {
        return package.name && package.version && package.name->starts_with(pair->wheel);
    });
    return found == python.packages->end() ? nullptr : &*found;
}

// Compared as far as both say it: libcudnn.so.9 tells the major version only.
bool is_older(const Version& copy, const Version& wheel, std::size_t parts) {
    for (std::size_t index = 0; index < parts; ++index) {
        if (copy.part(index) != wheel.part(index)) {
            return copy.part(index) < wheel.part(index);
        }
    }
    return false;
}

// Another major version has another name, and the loader does not take it for ours.
bool shadows(const Library& library, const PythonFacts::Package& wheel) {
    const std::optional<Version> copy = library.version ? Version::parse(*library.version) : std::nullopt;
    const std::optional<Version> own = Version::parse_prefix(*wheel.version);
    if (!copy || !own || copy->major() != own->major() || contains(*library.path, "/site-packages/")) {
        return false;
    }
    const auto dots = static_cast<std::size_t>(std::ranges::count(*library.version, '.'));
    return is_older(*copy, *own, std::min<std::size_t>(dots + 1, 3));
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.loader.on_library_path->empty()) {
        return not_applicable("LD_LIBRARY_PATH names no folder with CUDA libraries");
    }
    if (!facts.python.packages) {
        return facts.python.packages.why() == Missing::absent ? not_applicable("no Python packages here")
                                                              : unknown({"python.packages"});
    }
    for (const Library& library : *facts.loader.on_library_path) {
        const PythonFacts::Package* const wheel =
            library.path ? wheel_of(facts.python, name_in(*library.path)) : nullptr;
        if (wheel == nullptr || !shadows(library, *wheel)) {
            continue;
        }
        Finding finding;
        finding.subject = *library.path;
        finding.confidence = Confidence::possible;
        finding.args = {{"file", *library.path},
                        {"copy", *library.version},
                        {"wheel", *wheel->name},
                        {"own", *wheel->version}};
        finding.evidence = {evidence_of(library.path, "copy"), evidence_of(wheel->version, "wheel")};
        return fired(std::move(finding));
    }
    return clear();
}

}  // namespace whygpu::rules::loader::cuda_libraries_shadowed
