#include "report/machine_line.h"

#include <utility>
#include <vector>

#include "base/text.h"
#include "base/unicode.h"
#include "knowledge/gpu_identity.h"

namespace whygpu {

namespace {

using Counted = std::vector<std::pair<std::string, int>>;

void count_name(Counted& counted, const std::string& name) {
    if (!counted.empty() && counted.back().first == name) {
        ++counted.back().second;
    } else {
        counted.emplace_back(name, 1);
    }
}

// In a container the bus shows the host's cards; its own are those that the driver serves.
bool count_served(Counted& counted, const Facts& facts) {
    if (!facts.container.inside.is(true) || !facts.nvml.devices) {
        return false;
    }
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (device.name) {
            count_name(counted, *device.name);
        }
    }
    return !counted.empty();
}

// "4 × NVIDIA A100" for equal cards; adapters that cannot compute are named only when nothing else is.
std::string gpu_names(const Facts& facts, const Knowledge& tables, const Catalogue& words) {
    Counted counted;
    const std::vector<Gpu> gpus = gpus_of(facts, tables);
    if (!count_served(counted, facts)) {
        for (const Gpu& gpu : gpus) {
            if (gpu.capable) {
                count_name(counted, gpu.name);
            }
        }
    }
    std::vector<std::string> names;
    for (const auto& [name, count] : counted) {
        names.push_back(count == 1
                            ? name
                            : words.text("machine.more", {{"count", std::to_string(count)}, {"name", name}}));
    }
    // Under WSL the only adapter on the bus is Windows' own, which says nothing.
    const bool wsl = facts.wsl.inside.is(true);
    if (names.empty() && !gpus.empty() && !wsl) {
        names.push_back(gpus.front().name);
    }
    if (names.empty()) {
        const bool looked = facts.pci.gpus.known() && !facts.os.jetson.is(true) && !wsl;
        names.push_back(words.text(looked ? "machine.no_gpu" : "machine.gpu_unknown"));
    }
    return join(names, ", ");
}

std::string driver_version(const Facts& facts) {
    for (const Known<std::string>* fact : {&facts.nvml.driver_version, &facts.nvidia.kernel_version}) {
        if (fact->known()) {
            return fact->value();
        }
    }
    return "";
}

}  // namespace

std::string machine_line(const Facts& facts, const Knowledge& tables, const Catalogue& words, bool replay) {
    std::vector<std::string> parts;
    if (replay) {
        parts.push_back(words.text("machine.snapshot"));
    }
    if (facts.os.name) {
        parts.push_back(*facts.os.name);
    }
    if (facts.wsl.inside.is(true)) {
        parts.push_back(words.text("machine.wsl"));
    }
    if (facts.container.inside.is(true)) {
        const std::string engine = facts.container.engine ? *facts.container.engine : "?";
        parts.push_back(words.text("machine.container", {{"engine", engine}}));
    }
    if (facts.kernel.release) {
        parts.push_back(words.text("machine.kernel", {{"release", *facts.kernel.release}}));
    }
    const bool virtual_machine =
        facts.os.hypervisor.known() && *facts.os.hypervisor != "none" && !facts.wsl.inside.is(true);
    if (virtual_machine) {
        parts.push_back(words.text("machine.vm", {{"hypervisor", *facts.os.hypervisor}}));
    }
    parts.push_back(gpu_names(facts, tables, words));
    if (const std::string version = driver_version(facts); !version.empty()) {
        parts.push_back(words.text("machine.driver", {{"version", version}}));
    }
    return printable(join(parts, " · "));
}

}  // namespace whygpu
