#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

// On boards with NVSwitch the GPUs may not be used before the fabric manager has set up the switches: cuInit
// gives 802 until then. When cuInit succeeds, somebody runs it, perhaps in a container of its own where
// systemd sees nothing. The newest boards have switches that are no PCI devices: there only 802 tells.

namespace whygpu::rules::driver::fabric_manager_not_running {

namespace {

constexpr std::int64_t system_not_ready = 802;  // CUDA_ERROR_SYSTEM_NOT_READY
// From this branch on NVIDIA's RPM packages spell it in one word.
constexpr int one_word_branch = 580;
// And from this one on its Debian packages go without the number of the branch.
constexpr int unnumbered_branch = 590;

bool service_is_down(const ServiceFacts& services) {
    return services.fabric_manager && *services.fabric_manager != "active";
}

bool versions_differ(const ServiceFacts& services, const Known<std::string>& driver) {
    return driver && services.fabric_manager_version && *services.fabric_manager_version != *driver;
}

void add_service(Finding& finding, const Facts& facts, const Known<std::string>& driver) {
    const ServiceFacts& services = facts.services;
    finding.args["state"] = "unseen";
    if (services.fabric_manager) {
        finding.args["state"] = *services.fabric_manager;
        finding.evidence.push_back(evidence_of(services.fabric_manager, "service"));
    }
    if (versions_differ(services, driver) && !services.fabric_manager.is("not-installed")) {
        finding.variant = "version";
        finding.args["state"] = "version";
        finding.args["manager"] = *services.fabric_manager_version;
        finding.evidence.push_back(evidence_of(services.fabric_manager_version, "manager-version"));
        finding.evidence.push_back(evidence_of(driver, "driver"));
    }
}

Finding finding_for(const Facts& facts, bool on_host) {
    const Known<std::string> driver = running_driver_version(facts);
    Finding finding;
    finding.subject = "nvidia-fabricmanager";
    finding.args["where"] = facts.container.inside.is(true) ? "container" : "host";
    finding.args["state"] = "unseen";
    if (const std::string branch = installed_driver_branch(facts); driver && !branch.empty()) {
        finding.args["driver"] = *driver;
        finding.args["branch"] = branch;
        const std::optional<Version> version = Version::parse_prefix(*driver);
        const int number = version ? version->major() : 0;
        finding.args["rpm"] = number >= one_word_branch ? "nvidia-fabricmanager" : "nvidia-fabric-manager";
        finding.args["deb"] = "nvidia-fabricmanager" + (number >= unnumbered_branch ? "" : "-" + branch);
    }
    if (facts.cuda.init_code.is(system_not_ready)) {
        finding.evidence.push_back(evidence_of(facts.cuda.init_code, "cuda"));
    }
    if (on_host) {
        add_service(finding, facts, driver);
    }
    if (facts.services.nvswitch_count) {
        finding.evidence.push_back(evidence_of(facts.services.nvswitch_count, "switches"));
    }
    return finding;
}

// Error 802: the fabric, or on a machine without visible switches perhaps confidential computing.
Finding not_ready(const Facts& facts, bool on_host, bool switches) {
    Finding finding = finding_for(facts, on_host);
    const bool seen = on_host && (service_is_down(facts.services) || finding.variant == "version");
    finding.confidence = !switches ? Confidence::possible : seen ? Confidence::certain : Confidence::likely;
    if (finding.confidence != Confidence::certain) {
        finding.variant = "error";
        finding.candidates = {"driver.fabric-manager-not-running", "driver.confidential-computing-not-ready"};
        finding.next_test = "systemctl status nvidia-fabricmanager --no-pager";
    }
    return finding;
}

Verdict judged_by_service(const Facts& facts) {
    const ServiceFacts& services = facts.services;
    if (!facts.container.inside) {
        return unknown({"container.inside"});
    }
    if (*facts.container.inside) {
        return unknown({"cuda.init_code"});  // the service is the host's and cannot be seen from here
    }
    if (!services.fabric_manager) {
        return unknown({"services.fabric_manager"});
    }
    const bool bad = service_is_down(services) || versions_differ(services, running_driver_version(facts));
    if (!bad) {
        return clear();
    }
    Finding finding = finding_for(facts, true);
    finding.confidence = Confidence::likely;
    return fired(std::move(finding));
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const bool on_host = facts.container.inside.is(false);
    const Known<std::int64_t>& count = facts.services.nvswitch_count;
    if (facts.cuda.init_code.is(system_not_ready)) {
        return fired(not_ready(facts, on_host, count && *count > 0));
    }
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    if (!count) {
        return unknown({"services.nvswitch_count"});
    }
    if (*count == 0) {
        return not_applicable("no NVSwitch in this machine");
    }
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    return *loaded ? judged_by_service(facts) : not_applicable("the NVIDIA module is not loaded");
}

}  // namespace whygpu::rules::driver::fabric_manager_not_running
