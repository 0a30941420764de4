#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "knowledge/knowledge.h"
#include "units/registry.h"

namespace whygpu::rules::driver::not_installed {

namespace {

// In WSL the driver is Windows' and shows as libraries beside /dev/dxg. Whether Windows has an NVIDIA card
// cannot be seen from inside, so that it stays a guess, a better one where CUDA software is installed.
Verdict in_wsl(const Facts& facts) {
    const WslFacts& wsl = facts.wsl;
    if (!wsl.dxg_node || !wsl.driver_libraries) {
        return unknown({wsl.dxg_node ? "wsl.driver_libraries" : "wsl.dxg_node"});
    }
    if (!*wsl.dxg_node) {
        return not_applicable("this WSL has no GPU interface at all");
    }
    if (!wsl.driver_libraries->empty() || facts.cuda.init_code.known() || facts.nvml.init_code.known()) {
        return clear();
    }
    const bool wants_cuda = surely_some(facts.toolkit.cuda) || surely_some(facts.wsl.linux_driver_files) ||
                            (facts.python.torch_cuda && *facts.python.torch_cuda != "none");
    Finding finding;
    finding.subject = "WSL";
    finding.variant = "wsl";
    finding.args = {{"kind", "wsl"}};
    finding.confidence = wants_cuda ? Confidence::likely : Confidence::possible;
    finding.candidates = {"driver.not-installed", "driver.wsl-windows-driver-too-old",
                          "hardware.no-gpu-present"};
    finding.next_test = "nvidia-smi.exe -L";
    finding.evidence = {{"/usr/lib/wsl/lib", 0, "", "no-wsl-libraries"}, evidence_of(wsl.dxg_node, "dxg")};
    return fired(std::move(finding));
}

// A sign that somebody installed the driver, wholly or in part; then other rules say what is wrong with it.
bool any_part_installed(const Facts& facts) {
    return surely_some(facts.modules.nvidia_available) || surely_some(facts.modules.nvidia_other_kernels) ||
           surely_some(facts.modules.dkms_nvidia) || !driver_packages(facts).empty() ||
           driver_library_installed(facts);
}

std::vector<std::string> unread_places(const Facts& facts, const Known<bool>& loaded) {
    std::vector<std::string> missing;
    if (!loaded) {
        missing.push_back("modules.loaded");
    }
    if (!surely_empty(facts.modules.nvidia_available)) {
        missing.push_back("modules.nvidia_available");
    }
    if (!facts.nvidia.library_file && facts.nvidia.library_file.why() != Missing::absent) {
        missing.push_back("nvidia.library_file");
    }
    return missing;
}

Finding finding_for(const Gpu& gpu, const Facts& facts, const Known<bool>& loaded) {
    Finding finding;
    finding.subject = gpu.address;
    finding.args = {{"kind", "linux"}, {"gpu", gpu.name}, {"address", gpu.address}};
    finding.evidence = {evidence_of(seen_as(gpu, facts), "card"),
                        evidence_of(loaded, "not-loaded"),
                        {"libcuda.so.1", 0, "", "no-library"}};
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (!facts.wsl.inside) {
        return unknown({"wsl.inside"});
    }
    if (*facts.wsl.inside) {
        return in_wsl(facts);
    }
    const std::vector<Gpu> gpus = capable_nvidia_gpus(facts, input.tables);
    if (gpus.empty()) {
        return facts.pci.gpus ? not_applicable("no NVIDIA GPU that can run CUDA") : unknown({"pci.gpus"});
    }
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (loaded.is(true) || any_part_installed(facts)) {
        return clear();
    }
    std::vector<std::string> missing = unread_places(facts, loaded);
    if (!missing.empty()) {
        return unknown(std::move(missing));
    }
    return fired(finding_for(gpus.front(), facts, loaded));
}

}  // namespace whygpu::rules::driver::not_installed
