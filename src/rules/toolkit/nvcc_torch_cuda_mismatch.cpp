#include <optional>

#include "base/version.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::toolkit::nvcc_torch_cuda_mismatch {

namespace {

std::optional<Version> parsed(const Known<std::string>& version) {
    return version ? Version::parse_prefix(*version) : std::nullopt;
}

// A toolkit of the right major version that lies here already.
std::string fitting_toolkit(const ToolkitFacts& toolkit, const Version& wanted) {
    if (!toolkit.cuda) {
        return "";
    }
    for (const ToolkitFacts::Install& install : *toolkit.cuda) {
        const std::optional<Version> version = parsed(install.version);
        if (install.path && version && version->major() == wanted.major()) {
            return *install.path;
        }
    }
    return "";
}

}  // namespace

Verdict check(const RuleInput& input) {
    const ToolkitFacts& toolkit = input.facts.toolkit;
    const Known<std::string>& torch = input.facts.python.torch_cuda;
    if (!toolkit.nvcc_version) {
        return toolkit.nvcc_version.why() == Missing::absent ? not_applicable("no nvcc with a version here")
                                                             : unknown({"toolkit.nvcc_version"});
    }
    if (!torch) {
        return torch.why() == Missing::absent ? not_applicable("no PyTorch here")
                                              : unknown({"python.torch_cuda"});
    }
    const std::optional<Version> wanted = parsed(torch);
    const std::optional<Version> nvcc = parsed(toolkit.nvcc_version);
    if (!wanted || !nvcc) {
        return not_applicable("this PyTorch was built without CUDA");
    }
    if (wanted->major() == nvcc->major()) {
        return clear();
    }
    const std::string home = fitting_toolkit(toolkit, *wanted);
    Finding finding;
    finding.subject = "nvcc " + nvcc->text();
    finding.args = {{"nvcc", nvcc->text()},
                    {"torch_cuda", *torch},
                    {"package", std::to_string(wanted->major()) + "-" + std::to_string(wanted->minor())},
                    {"found", home.empty() ? "no" : "yes"}};
    if (!home.empty()) {
        finding.args["home"] = home;
    }
    finding.evidence = {evidence_of(toolkit.nvcc_version, "nvcc"), evidence_of(torch, "torch")};
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::toolkit::nvcc_torch_cuda_mismatch
