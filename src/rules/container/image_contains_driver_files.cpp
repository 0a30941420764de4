#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::image_contains_driver_files {

namespace {

using Library = LoaderFacts::Library;

std::string name_of_file(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

// The engine mounts the driver's files one by one; what it did not mount came with the image.
const Library* found(const Facts& facts, bool mounted) {
    for (const Library& library : *facts.loader.libcuda) {
        const std::string name = library.path ? name_of_file(*library.path) : "";
        const bool is_mounted =
            std::ranges::any_of(*facts.container.gpu_mounts,
                                [&](const std::string& point) { return name_of_file(point) == name; });
        if (!name.empty() && library.version && is_mounted == mounted) {
            return &library;
        }
    }
    return nullptr;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Library* const mounted = found(facts, true);
    const Library* const own = found(facts, false);
    if (mounted == nullptr || own == nullptr || *own->version == *mounted->version) {
        return clear();
    }
    Finding finding;
    finding.subject = *own->path;
    finding.args = {{"own", *own->version}, {"mounted", *mounted->version}};
    finding.evidence = {evidence_of(own->path, "own"), evidence_of(mounted->path, "mounted")};
    if (facts.cuda.init_code.is(0)) {
        finding.softened = Severity::note;
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::image_contains_driver_files
