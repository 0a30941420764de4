#include <algorithm>
#include <array>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::driver::conflicting_kernel_driver_bound {

namespace {

// Drivers that hold an NVIDIA card and keep the vendor's module from it. vfio-pci does so on purpose.
constexpr std::array<std::string_view, 5> foreign_drivers = {"nouveau", "nova_core", "vfio-pci", "nvidiafb",
                                                             "pci-stub"};

bool is_foreign(std::string_view driver) {
    return std::find(foreign_drivers.begin(), foreign_drivers.end(), driver) != foreign_drivers.end();
}

Finding finding_for(const Facts& facts, const Gpu& gpu, const PciFacts::Device& device) {
    const std::string& driver = *device.driver;
    Finding finding;
    finding.subject = gpu.address;
    finding.variant = driver == "vfio-pci" || driver == "pci-stub" ? "passthrough" : "";
    finding.args = {{"gpu", gpu.name}, {"address", gpu.address}, {"bound", driver}};
    finding.args["driver"] = driver_library_installed(facts) ? "installed" : "missing";
    finding.args["kind"] = finding.variant.empty() ? "graphics" : "passthrough";
    finding.evidence.push_back(evidence_of(device.driver, "bound"));
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    std::vector<Finding> findings;
    std::vector<std::string> missing;
    for (const Gpu& gpu : gpus_of(input.facts, input.tables)) {
        if (gpu.vendor != "nvidia" || gpu.pci_index < 0) {
            continue;
        }
        const PciFacts::Device& device = input.facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index));
        if (!device.driver && device.driver.why() != Missing::absent) {
            missing = {"pci.gpus"};  // a card without any driver is another rule's business
            continue;
        }
        if (device.driver && is_foreign(*device.driver)) {
            findings.push_back(finding_for(input.facts, gpu, device));
        }
    }
    if (findings.empty() && !missing.empty()) {
        return unknown(std::move(missing));
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::driver::conflicting_kernel_driver_bound
