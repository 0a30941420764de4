#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::module_not_built_for_running_kernel {

namespace {

// What a driver was installed in part: the module for other kernels or with DKMS, or packages and libraries.
std::vector<Evidence> signs_of_driver(const Facts& facts) {
    std::vector<Evidence> signs;
    if (surely_some(facts.modules.nvidia_other_kernels)) {
        const Known<std::vector<std::string>>& kernels = facts.modules.nvidia_other_kernels;
        signs.push_back({kernels.source().origin, 0, join(*kernels, ", "), "other-kernels"});
    }
    if (surely_some(facts.modules.dkms_nvidia)) {
        const Known<std::vector<std::string>>& dkms = facts.modules.dkms_nvidia;
        signs.push_back({dkms.source().origin, 0, join(*dkms, ", "), "dkms"});
    }
    if (driver_library_installed(facts)) {
        const bool found = facts.nvidia.library_file.known();
        signs.push_back(evidence_of(found ? facts.nvidia.library_file : facts.nvml.library, "library"));
    }
    const std::vector<std::string> packages = driver_packages(facts);
    if (!packages.empty()) {
        signs.push_back({facts.nvidia.packages.source().origin, 0, packages.front(), "package"});
    }
    return signs;
}

// Empty when all places were read, so that no sign means no driver.
std::vector<std::string> unread_signs(const Facts& facts) {
    std::vector<std::string> missing;
    if (!surely_empty(facts.modules.nvidia_other_kernels)) {
        missing.push_back("modules.nvidia_other_kernels");
    }
    if (!facts.nvidia.library_file && facts.nvidia.library_file.why() != Missing::absent) {
        missing.push_back("nvidia.library_file");
    }
    return missing;
}

// Arch and its kin remove the modules of the running kernel when they install the next kernel; the probe
// then says that its folder is not there.
bool kernel_was_replaced(const ModuleFacts& modules) {
    return modules.nvidia_available && modules.nvidia_available.source().text == "not there" &&
           surely_some(modules.nvidia_other_kernels);
}

void add_variant(Finding& finding, const ModuleFacts& modules) {
    const bool replaced = kernel_was_replaced(modules);
    finding.args["replaced"] = replaced ? "true" : "false";
    finding.args["has_other"] = surely_some(modules.nvidia_other_kernels) && !replaced ? "true" : "false";
    if (surely_some(modules.nvidia_other_kernels)) {
        finding.variant = replaced ? "replaced" : "other-kernel";
        finding.args["other"] = modules.nvidia_other_kernels->back();
    } else if (!surely_some(modules.dkms_nvidia)) {
        finding.variant = "libraries-only";
    }
}

Finding finding_for(const Facts& facts, std::vector<Evidence> signs) {
    Finding finding;
    finding.subject = "kernel " + *facts.kernel.release;
    finding.args["kernel"] = *facts.kernel.release;
    finding.args["dkms"] = surely_some(facts.modules.dkms_nvidia) ? "true" : "false";
    finding.args["headers"] = facts.kernel.headers_installed.is(false) ? "missing" : "not-missing";
    finding.evidence = {evidence_of(facts.kernel.release, "running")};
    add_variant(finding, facts.modules);
    const std::string branch = installed_driver_branch(facts);
    if (!branch.empty()) {
        finding.args["branch"] = branch;
    }
    finding.evidence.insert(finding.evidence.end(), signs.begin(), signs.end());
    if (facts.kernel.headers_installed.is(false)) {
        const Source& headers = facts.kernel.headers_installed.source();
        const std::string place = "/lib/modules/" + *facts.kernel.release + "/build";
        finding.evidence.push_back({headers.origin.empty() ? place : headers.origin, 0, "", "no-headers"});
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (loaded.is(true) || surely_some(facts.modules.nvidia_available)) {
        return clear();
    }
    if (!surely_empty(facts.modules.nvidia_available)) {
        return unknown({"modules.nvidia_available"});
    }
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    std::vector<Evidence> signs = signs_of_driver(facts);
    if (signs.empty()) {
        std::vector<std::string> missing = unread_signs(facts);
        return missing.empty() ? not_applicable("no NVIDIA driver is installed")
                               : unknown(std::move(missing));
    }
    return fired(finding_for(facts, std::move(signs)));
}

}  // namespace whygpu::rules::driver::module_not_built_for_running_kernel
