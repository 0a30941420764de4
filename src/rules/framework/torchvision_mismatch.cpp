#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/torch_companions.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::torchvision_mismatch {

Verdict check(const RuleInput& input) {
    if (const std::optional<Verdict> verdict = without_packages(input.facts)) {
        return *verdict;
    }
    const CompanionCheck pair = check_companion(input.facts, input.tables, "torchvision");
    if (pair.kind == CompanionCheck::Kind::no_pair) {
        return not_applicable("no published torchvision beside a published PyTorch");
    }
    if (pair.kind == CompanionCheck::Kind::unknown) {
        return unknown({"python.torch_version"});
    }
    const bool other_cuda = pair.kind == CompanionCheck::Kind::other_cuda;
    if (!other_cuda && pair.kind != CompanionCheck::Kind::other_torch) {
        return clear();
    }
    Finding finding;
    finding.subject = "torchvision " + *pair.package->version;
    finding.variant = other_cuda ? "cuda" : "";
    finding.args = pair.args;
    finding.evidence = {evidence_of(pair.package->version),
                        evidence_of(input.facts.python.torch_version, "torch")};
    if (pair.pinned && !other_cuda) {
        finding.evidence.push_back(Evidence{pair.pin.origin, 0, pair.pin.text, "pin"});
    }
    finding.confidence = other_cuda || pair.pinned ? Confidence::certain : Confidence::likely;
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::torchvision_mismatch
