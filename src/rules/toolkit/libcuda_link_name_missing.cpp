#include <optional>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::libcuda_link_name_missing {

namespace {

// From 3.0 on Triton links against libcuda.so.1 by its full name.
const PythonFacts::Package* old_triton(const PythonFacts& python) {
    for (const PythonFacts::Package& package : *python.packages) {
        const std::optional<Version> version = package.name.is("triton") && package.version
                                                   ? Version::parse_prefix(*package.version)
                                                   : std::nullopt;
        if (version && version->major() < 3) {
            return &package;
        }
    }
    return nullptr;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<bool>& link = facts.loader.libcuda_link_name;
    if (!facts.python.packages) {
        return facts.python.packages.why() == Missing::absent ? not_applicable("no Python packages here")
                                                              : unknown({"python.packages"});
    }
    const PythonFacts::Package* const triton = old_triton(facts.python);
    if (triton == nullptr) {
        return not_applicable("nothing here links against libcuda by its short name");
    }
    if (link.is(true)) {
        return clear();
    }
    if (!link) {
        return link.why() == Missing::absent ? not_applicable("there is no libcuda.so.1")
                                             : unknown({"loader.libcuda_link_name"});
    }
    Finding finding;
    finding.subject = "libcuda.so";
    finding.confidence = Confidence::likely;
    finding.args = {{"folder", link.source().origin}, {"triton", *triton->version}};
    finding.evidence = {evidence_of(link, "only"), evidence_of(triton->version, "triton")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::libcuda_link_name_missing
