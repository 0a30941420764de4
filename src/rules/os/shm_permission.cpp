#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::os::shm_permission {

Verdict check(const RuleInput& input) {
    const OsFacts& os = input.facts.os;
    const bool is_gone = !os.shm_writable && os.shm_writable.why() == Missing::absent;
    if (!os.shm_writable && !is_gone) {
        return unknown({"os.shm_writable"});
    }
    if (os.shm_writable.is(true)) {
        return clear();
    }
    Finding finding;
    finding.subject = "/dev/shm";
    finding.variant = is_gone ? "missing" : "";
    finding.args = {{"state", is_gone ? "missing" : "closed"}, {"mode", os.shm_mode ? *os.shm_mode : ""}};
    finding.evidence = {is_gone ? Evidence{"/dev/shm", 0, os.shm_writable.because(), ""}
                                : evidence_of(os.shm_writable, "not_writable")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::os::shm_permission
