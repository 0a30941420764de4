#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::container::shm_too_small {

namespace {

constexpr std::int64_t docker_default = std::int64_t{64} << 20;

}  // namespace

Verdict check(const RuleInput& input) {
    const Known<std::int64_t>& size = input.facts.container.shm_bytes;
    const Known<std::string>& torch = input.facts.python.torch_version;
    if (!torch) {
        return torch.why() == Missing::absent ? not_applicable("no PyTorch here")
                                              : unknown({"python.torch_version"});
    }
    if (!size) {
        return size.why() == Missing::absent ? clear() : unknown({"container.shm_bytes"});
    }
    if (*size > docker_default) {
        return clear();
    }
    Finding finding;
    finding.subject = "/dev/shm";
    finding.args = {{"mib", std::to_string(*size >> 20)}};
    finding.evidence = {evidence_of(size, "size"), evidence_of(torch, "torch")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::container::shm_too_small
