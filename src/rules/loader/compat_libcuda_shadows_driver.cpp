#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

namespace whygpu::rules::loader::compat_libcuda_shadows_driver {

namespace {

constexpr std::int64_t driver_mismatch = 803;  // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
constexpr std::int64_t not_supported = 804;    // CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE

bool is_compat(const Known<std::string>& file) {
    return file && contains(*file, "/compat/");
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::int64_t>& code = facts.cuda.init_code;
    if (!code) {
        return code.why() == Missing::absent ? not_applicable("there is no driver library")
                                             : unknown({"cuda.init_code"});
    }
    if (code.is(0)) {
        return clear();
    }
    if (!code.is(driver_mismatch) && !code.is(not_supported)) {
        return not_applicable("CUDA fails for another reason");
    }
    if (code.is(not_supported) && facts.container.inside.is(true)) {
        return not_applicable("a rule about containers covers it");
    }
    const Known<std::string>& file = facts.cuda.library ? facts.cuda.library : facts.nvidia.library_file;
    if (!is_compat(file) && !code.is(not_supported)) {
        return file ? not_applicable("the libcuda that is loaded is the driver's own")
                    : unknown({"cuda.library"});
    }
    Finding finding;
    finding.subject = file ? *file : "libcuda.so.1";
    finding.variant = code.is(not_supported) ? "unsupported" : "";
    finding.args = {{"code", std::to_string(*code)}};
    if (file) {
        finding.evidence.push_back(evidence_of(file, "file"));
    }
    finding.evidence.push_back(evidence_of(code, "code"));
    if (const Known<std::string> driver = running_driver_version(facts)) {
        finding.evidence.push_back(evidence_of(driver, "driver"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::loader::compat_libcuda_shadows_driver
