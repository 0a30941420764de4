#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::loader::stub_libcuda_loaded {

namespace {

constexpr std::int64_t stub_library = 34;  // CUDA_ERROR_STUB_LIBRARY

bool is_stub(const Known<std::string>& file) {
    return file && contains(*file, "/stubs/");
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::int64_t>& code = facts.cuda.init_code;
    if (code.is(0)) {
        return clear();
    }
    const Known<std::string>& file =
        is_stub(facts.cuda.library) ? facts.cuda.library : facts.nvidia.library_file;
    if (!code.is(stub_library) && !is_stub(file)) {
        const bool absent = file.why() == Missing::absent;
        // That it is no stub does not show that it works: only cuInit does.
        return code || file ? not_applicable("the libcuda that is loaded is no stub")
               : absent     ? not_applicable("there is no driver library")
                            : unknown({"cuda.init_code", "nvidia.library_file"});
    }
    Finding finding;
    finding.subject = "libcuda.so.1";
    if (is_stub(file)) {
        finding.subject = *file;
        finding.args["folder"] = file->substr(0, file->rfind('/'));
        finding.evidence.push_back(evidence_of(file, "file"));
    } else {
        finding.variant = "code";
    }
    if (code.is(stub_library)) {
        finding.evidence.push_back(evidence_of(code, "code"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::loader::stub_libcuda_loaded
