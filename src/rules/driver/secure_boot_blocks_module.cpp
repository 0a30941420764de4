#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

// The kernel says why it refused a module in one of several wordings, and not all of them name the
// module: "Loading of unsigned module is rejected", "Lockdown: modprobe: unsigned module loading is
// restricted". "module verification failed: … tainting kernel" sounds alike and is none: with it the
// module was loaded.

namespace whygpu::rules::driver::secure_boot_blocks_module {

namespace {

using Message = KernelLogFacts::Message;

// The rejection that names the module, else the last one that names none.
const Message* rejection(const Known<std::vector<Message>>& messages) {
    const Message* found = nullptr;
    for (std::size_t index = 0; messages && index < messages->size(); ++index) {
        const Message& message = (*messages)[index];
        if (!message.kind.is("module-rejected") || !message.text || contains(*message.text, "tainting")) {
            continue;
        }
        if (contains(lower(*message.text), "nvidia")) {
            return &message;
        }
        found = &message;
    }
    return found;
}

bool locked_down(const KernelFacts& kernel) {
    return kernel.lockdown && *kernel.lockdown != "none";
}

bool signatures_enforced(const KernelFacts& kernel) {
    return kernel.secure_boot.is(true) || locked_down(kernel);
}

bool surely_not_enforced(const KernelFacts& kernel) {
    return kernel.secure_boot.is(false) && !locked_down(kernel);
}

Evidence evidence_of_enforcement(const KernelFacts& kernel) {
    if (kernel.secure_boot.is(true)) {
        return evidence_of(kernel.secure_boot, "secure-boot");
    }
    return evidence_of(kernel.lockdown, "lockdown");
}

Finding finding_for(const Facts& facts) {
    Finding finding;
    finding.subject = "nvidia.ko";
    finding.variant = signatures_enforced(facts.kernel) ? "" : "enforced";
    finding.args["kind"] = finding.variant.empty() ? "secure-boot" : "enforced";
    finding.args["dkms"] = surely_some(facts.modules.dkms_nvidia) ? "true" : "false";
    const std::string branch = installed_driver_branch(facts);
    if (!branch.empty()) {
        finding.args["branch"] = branch;
    }
    // The replacement keeps the flavour that is installed.
    const std::vector<std::string> packages = driver_packages(facts);
    if (!packages.empty()) {
        const bool open = std::any_of(packages.begin(), packages.end(),
                                      [](const std::string& package) { return contains(package, "-open"); });
        finding.args["open_suffix"] = open ? "-open" : "";
    }
    if (signatures_enforced(facts.kernel)) {
        finding.evidence.push_back(evidence_of_enforcement(facts.kernel));
    }
    return finding;
}

Finding seen_in_log(const Facts& facts, const Message& message) {
    Finding finding = finding_for(facts);
    const bool named = contains(lower(*message.text), "nvidia");
    finding.confidence = named ? Confidence::certain : Confidence::likely;
    finding.evidence.insert(finding.evidence.begin(),
                            evidence_of(message.text, named ? "rejected" : "some-module"));
    return finding;
}

// The log may not be read: a module that this machine built itself is not signed with a key that the
// firmware trusts unless its owner enrolled one; a distribution's own module is.
Finding guessed(const Facts& facts, const Known<bool>& loaded) {
    Finding finding = finding_for(facts);
    const bool self_built = surely_some(facts.modules.dkms_nvidia);
    finding.confidence = self_built ? Confidence::likely : Confidence::possible;
    finding.candidates = {"driver.secure-boot-blocks-module", "driver.module-not-loaded"};
    finding.next_test = "sudo modprobe nvidia";
    finding.evidence.push_back(evidence_of(loaded, "not-loaded"));
    if (self_built) {
        const Known<std::vector<std::string>>& dkms = facts.modules.dkms_nvidia;
        finding.evidence.push_back({dkms.source().origin, 0, join(*dkms, ", "), "dkms"});
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (loaded.is(true)) {
        return clear();
    }
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    const Message* message = rejection(facts.kernel_log.messages);
    const bool names_module = message != nullptr && contains(lower(*message->text), "nvidia");
    const bool available = surely_some(facts.modules.nvidia_available);
    if (names_module || (message != nullptr && available && signatures_enforced(facts.kernel))) {
        return fired(seen_in_log(facts, *message));
    }
    if (surely_not_enforced(facts.kernel)) {
        return clear();
    }
    if (surely_empty(facts.modules.nvidia_available)) {
        return not_applicable("there is no NVIDIA module that could be refused");
    }
    if (!available) {
        return unknown({"modules.nvidia_available"});
    }
    if (facts.kernel_log.messages) {
        return clear();  // it would have said so
    }
    if (!signatures_enforced(facts.kernel)) {
        return unknown({"kernel.secure_boot"});
    }
    return fired(guessed(facts, loaded));
}

}  // namespace whygpu::rules::driver::secure_boot_blocks_module
