#include <algorithm>
#include <array>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

// NVIDIA builds its kernel module in two flavours from one version: a proprietary one, and an open one
// that leaves most of the work to the GPU's own system processor. From Blackwell on (and on Grace Hopper)
// only the open one knows the card. The proprietary one then refuses to initialise any device and, when there
// is no other card, is unloaded at once: so the flavour cannot be asked, and the packages and the kernel log
// have to tell.

namespace whygpu::rules::driver::gpu_needs_open_kernel_module {

namespace {

constexpr std::string_view refusal = "requires use of the NVIDIA open kernel modules";

// Package names that bring the proprietary module: Ubuntu's carry a branch, Debian's and Arch's do not.
bool is_proprietary_package(std::string_view package) {
    const std::string_view name = package.substr(0, package.find('='));
    constexpr std::array<std::string_view, 3> beginnings = {"nvidia-dkms-", "nvidia-kernel-source-",
                                                            "linux-modules-nvidia-"};
    const bool of_branch = std::any_of(beginnings.begin(), beginnings.end(),
                                       [&](std::string_view start) { return name.starts_with(start); });
    return (of_branch && !contains(name, "-open")) || name == "nvidia-kernel-dkms" ||
           name == "kmod-nvidia-latest-dkms";
}

bool is_open_package(std::string_view package) {
    return contains(package.substr(0, package.find('=')), "open");
}

// The package of a proprietary module, when no open one is installed beside it.
std::string proprietary_package(const Facts& facts) {
    const std::vector<std::string> packages = driver_packages(facts);
    if (!facts.container.inside.is(false) || std::any_of(packages.begin(), packages.end(), is_open_package)) {
        return "";
    }
    const auto found = std::find_if(packages.begin(), packages.end(), is_proprietary_package);
    return found == packages.end() ? "" : *found;
}

const KernelLogFacts::Message* refusal_in_log(const KernelLogFacts& log) {
    if (!log.messages) {
        return nullptr;
    }
    const auto says_so = [](const KernelLogFacts::Message& message) {
        return message.text && contains(*message.text, refusal);
    };
    const auto found = std::find_if(log.messages->begin(), log.messages->end(), says_so);
    return found == log.messages->end() ? nullptr : &*found;
}

Finding finding_for(const Gpu& gpu, const Facts& facts) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"gpu", gpu.name}, {"address", gpu.address}};
    finding.args["where"] = facts.container.inside.is(true) ? "container" : "host";
    finding.evidence.push_back(evidence_of(seen_as(gpu, facts), "card"));
    return finding;
}

Verdict judged_by_flavour(const Gpu& gpu, const Facts& facts) {
    Finding finding = finding_for(gpu, facts);
    if (facts.nvidia.kernel_flavour) {
        finding.evidence.push_back(evidence_of(facts.nvidia.kernel_flavour, "flavour"));
        return *facts.nvidia.kernel_flavour == "proprietary" ? fired(std::move(finding)) : clear();
    }
    const std::string package = proprietary_package(facts);
    if (!package.empty()) {
        finding.confidence = Confidence::likely;
        finding.evidence.push_back({facts.nvidia.packages.source().origin, 0, package, "package"});
        return fired(std::move(finding));
    }
    if (nvidia_module_loaded(facts).is(false)) {
        return not_applicable("the NVIDIA module is not loaded");
    }
    return unknown({"nvidia.kernel_flavour"});
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    std::vector<Gpu> gpus = capable_nvidia_gpus(facts, input.tables);
    std::erase_if(gpus, [&](const Gpu& gpu) { return served_by_driver(gpu, facts); });
    const KernelLogFacts::Message* message = refusal_in_log(facts.kernel_log);
    const auto needs_open = [&](const Gpu& gpu) {
        const bool named = message != nullptr && message->pci_address &&
                           normalised_pci_address(*message->pci_address) == gpu.address;
        return gpu.open_modules == "required" || named;
    };
    const auto gpu = std::find_if(gpus.begin(), gpus.end(), needs_open);
    if (gpu == gpus.end()) {
        return clear();
    }
    // The log may be of an earlier attempt; an open module that runs now has settled it.
    if (message != nullptr && !facts.nvidia.kernel_flavour.is("open")) {
        Finding finding = finding_for(*gpu, facts);
        finding.evidence.push_back(evidence_of(message->text, "log"));
        return fired(std::move(finding));
    }
    return judged_by_flavour(*gpu, facts);
}

}  // namespace whygpu::rules::driver::gpu_needs_open_kernel_module
