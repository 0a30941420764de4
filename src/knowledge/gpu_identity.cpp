#include "knowledge/gpu_identity.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.h"
#include "facts/facts.h"
#include "knowledge/amd.h"
#include "knowledge/nvidia.h"

namespace whygpu {

// The sources name one GPU differently. PCI knows every adapter by address, id and the name of
// pci.ids; NVML and CUDA know what the driver serves, by address and product name; KFD lists AMD's
// compute nodes without an address. PCI comes first and the others add to it; a device that only the
// driver knows (WSL and Jetson have none on the bus) is added at the end.

namespace {

// The last device before Fermi in pci.ids is 10d8 (NVS 300): an NVIDIA adapter of a higher id that no
// table knows is newer than the tables, not older than CUDA's drivers.
constexpr std::uint64_t first_unknown_new_id = 0x1100;

std::string text_of(const Known<std::string>& fact) {
    return fact ? *fact : std::string();
}

std::string vendor_of(std::string_view vendor_id) {
    const std::string id = lower(vendor_id);
    if (id == "10de") {
        return "nvidia";
    }
    if (id == "1002") {
        return "amd";
    }
    return id == "8086" ? "intel" : "other";
}

std::string maker_of(const std::string& vendor) {
    if (vendor == "nvidia") {
        return "NVIDIA ";
    }
    if (vendor == "amd") {
        return "AMD ";
    }
    return vendor == "intel" ? "Intel " : "";
}

void add_chip(Gpu& gpu, const Chip& chip) {
    gpu.chip = chip.name;
    gpu.architecture = chip.architecture;
    gpu.open_modules = chip.open_modules;
    gpu.last_driver_branch = chip.last_driver_branch;
    gpu.integrated = chip.kind == "integrated" || chip.kind == "tegra";
    if (!gpu.compute_capability) {
        gpu.compute_capability = chip.compute_capability;
    }
}

void identify_nvidia(Gpu& gpu, const PciFacts::Device& device, const Knowledge& tables) {
    const std::string id = text_of(device.device_id);
    if (const std::optional<Chip> chip = chip_of_device(tables, id, text_of(device.name))) {
        add_chip(gpu, *chip);
        gpu.capable = true;
        return;
    }
    gpu.capable = parse_hex(id).value_or(0) >= first_unknown_new_id;
}

void identify_amd(Gpu& gpu, const PciFacts::Device& device, const Knowledge& tables) {
    const std::string name = text_of(device.name);
    gpu.gfx = gfx_of_pci_name(tables, name);
    // Without a name in pci.ids only the bound driver tells a compute card from an old Radeon.
    gpu.capable = !gpu.gfx.empty() || (name.empty() && gpu.driver == "amdgpu");
}

void add_gfx(Gpu& gpu, const Knowledge& tables) {
    if (const std::optional<GfxSupport> support = gfx_support(tables, gpu.gfx)) {
        gpu.architecture = support->architecture;
        gpu.integrated = support->apu.value_or(false);
    }
}

Gpu gpu_on_bus(const PciFacts::Device& device, int index, const Knowledge& tables) {
    Gpu gpu;
    gpu.address = normalised_pci_address(text_of(device.address));
    gpu.vendor = vendor_of(text_of(device.vendor_id));
    gpu.driver = text_of(device.driver);
    gpu.pci_index = index;
    gpu.name = marketing_name(text_of(device.name));
    if (gpu.vendor == "intel" && !gpu.name.empty() && !contains(gpu.name, "Intel")) {
        gpu.name = "Intel " + gpu.name;
    }
    if (gpu.name.empty()) {
        const std::string maker = maker_of(gpu.vendor);
        const std::string id = text_of(device.device_id);
        gpu.name = maker.empty() ? "device " + text_of(device.vendor_id) + ":" + id : maker + "device " + id;
    }
    if (gpu.vendor == "nvidia") {
        identify_nvidia(gpu, device, tables);
    }
    if (gpu.vendor == "amd") {
        identify_amd(gpu, device, tables);
    }
    return gpu;
}

// What NVML or CUDA says of a device.
struct Served {
    std::string address;
    std::string name;
    std::optional<Version> compute_capability;
};

template <class Device>
std::vector<Served> served_by(const Known<std::vector<Device>>& devices) {
    std::vector<Served> served;
    if (!devices) {
        return served;
    }
    for (const Device& device : *devices) {
        // A Jetson's GPU is not on the bus: its drivers give the address zero or none.
        const std::string address = normalised_pci_address(text_of(device.pci_address));
        served.push_back({address == "0000:00:00.0" ? "" : address, text_of(device.name),
                          Version::parse(text_of(device.compute_capability))});
    }
    return served;
}

void identify_by_driver(Gpu& gpu, const Knowledge& tables) {
    std::optional<Chip> chip;
    if (const std::optional<Card> card = card_by_name(tables, gpu.name)) {
        chip = chip_by_name(tables, card->chip);
    }
    const bool contradicted =
        chip && gpu.compute_capability && chip->compute_capability != gpu.compute_capability;
    if ((!chip || contradicted) && gpu.compute_capability) {
        chip = chip_of_capability(tables, *gpu.compute_capability);
    }
    if (chip) {
        add_chip(gpu, *chip);
    }
}

Gpu gpu_of_driver(const Served& served, const Knowledge& tables) {
    Gpu gpu;
    gpu.address = served.address;
    gpu.vendor = "nvidia";
    gpu.name = served.name.empty() ? "NVIDIA device" : served.name;
    gpu.compute_capability = served.compute_capability;
    gpu.capable = true;
    identify_by_driver(gpu, tables);
    return gpu;
}

// The adapter that a driver's device is: the one at its address, else, in sources that name none
// (nvidia-smi -L), the NVIDIA adapter with the same number.
Gpu* same_gpu(std::vector<Gpu>& gpus, const Served& device, std::size_t number) {
    std::size_t nvidia = 0;
    for (Gpu& gpu : gpus) {
        if (gpu.vendor != "nvidia") {
            continue;
        }
        const bool same = device.address.empty() ? nvidia == number : gpu.address == device.address;
        if (same) {
            return &gpu;
        }
        ++nvidia;
    }
    return nullptr;
}

void add_served(std::vector<Gpu>& gpus, const std::vector<Served>& served, const Knowledge& tables,
                std::set<std::string>& named) {
    std::size_t number = 0;
    for (const Served& device : served) {
        Gpu* same = same_gpu(gpus, device, number++);
        if (same == nullptr) {
            gpus.push_back(gpu_of_driver(device, tables));
            named.insert(device.address);
            continue;
        }
        // The first source that has a name gives it: NVML before CUDA, a board before its MIG instances.
        if (!device.name.empty() && named.insert(same->address).second) {
            same->name = device.name;
        }
        if (device.compute_capability) {
            same->compute_capability = device.compute_capability;
        }
        same->capable = true;
        if (same->architecture.empty()) {
            identify_by_driver(*same, tables);
        }
    }
}

// The kernel module knows the product names too, also where no driver library answers (a container that
// was started without the GPU).
void name_by_proc(std::vector<Gpu>& gpus, const Known<std::vector<NvidiaFacts::ProcGpu>>& listed) {
    if (!listed) {
        return;
    }
    for (const NvidiaFacts::ProcGpu& device : *listed) {
        const std::string address = normalised_pci_address(text_of(device.address));
        for (Gpu& gpu : gpus) {
            if (gpu.address == address && device.model && contains(*device.model, " ")) {
                gpu.name = *device.model;
            }
        }
    }
}

Gpu gpu_of_kfd(const std::string& gfx) {
    Gpu gpu;
    gpu.vendor = "amd";
    gpu.name = "AMD " + gfx;
    gpu.gfx = gfx;
    gpu.capable = true;
    return gpu;
}

// KFD gives no PCI address. A node belongs to the adapter of the same target; what is left over on
// both sides is joined only when it is one and one, or all of one kind.
void add_kfd(std::vector<Gpu>& gpus, const std::vector<AmdFacts::Node>& nodes) {
    std::vector<std::string> left;
    std::vector<Gpu*> open;
    for (Gpu& gpu : gpus) {
        if (gpu.vendor == "amd") {
            open.push_back(&gpu);
        }
    }
    const bool none_on_bus = open.empty();
    for (const AmdFacts::Node& node : nodes) {
        const std::string gfx = text_of(node.gfx);
        const auto same =
            std::find_if(open.begin(), open.end(), [&](const Gpu* gpu) { return gpu->gfx == gfx; });
        if (same == open.end()) {
            left.push_back(gfx);
            continue;
        }
        open.erase(same);
    }
    if (none_on_bus) {
        std::transform(left.begin(), left.end(), std::back_inserter(gpus), gpu_of_kfd);
        return;
    }
    const bool alike = std::set<std::string>(left.begin(), left.end()).size() == 1;
    if (!alike || left.size() != open.size()) {
        return;
    }
    for (Gpu* gpu : open) {
        gpu->gfx = left.front();
        gpu->capable = true;
    }
}

constexpr int last_rank = 5;

int rank_of(const Gpu& gpu) {
    if (!gpu.capable) {
        return gpu.vendor == "nvidia" || gpu.vendor == "amd" ? 4 : last_rank;
    }
    return (gpu.vendor == "nvidia" ? 0 : 2) + (gpu.integrated ? 1 : 0);
}

// Within a rank the order of the bus stays.
std::vector<Gpu> in_order(const std::vector<Gpu>& gpus) {
    std::vector<Gpu> ordered;
    for (int rank = 0; rank <= last_rank; ++rank) {
        std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(ordered),
                     [&](const Gpu& gpu) { return rank_of(gpu) == rank; });
    }
    return ordered;
}

bool is_hexadecimal(std::string_view text) {
    return !text.empty() && parse_hex("0x" + std::string(text));
}

}  // namespace

std::string normalised_pci_address(std::string_view address) {
    const std::string text = lower(trimmed(address));
    std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() == 2) {
        parts.insert(parts.begin(), "0");
    }
    if (parts.size() != 3 || !is_hexadecimal(parts[0]) || parts[1].size() != 2) {
        return text;
    }
    std::string domain(parts[0]);
    domain.erase(0, std::min(domain.find_first_not_of('0'), domain.size()));
    domain.insert(0, 4 - std::min<std::size_t>(domain.size(), 4), '0');
    return domain + ":" + std::string(parts[1]) + ":" + std::string(parts[2]);
}

std::vector<Gpu> gpus_of(const Facts& facts, const Knowledge& tables) {
    std::vector<Gpu> gpus;
    if (facts.pci.gpus) {
        int index = 0;
        for (const PciFacts::Device& device : *facts.pci.gpus) {
            gpus.push_back(gpu_on_bus(device, index, tables));
            ++index;
        }
    }
    std::set<std::string> named;
    name_by_proc(gpus, facts.nvidia.proc_gpus);
    add_served(gpus, served_by(facts.nvml.devices), tables, named);
    add_served(gpus, served_by(facts.cuda.devices), tables, named);
    if (facts.amd.kfd_nodes) {
        add_kfd(gpus, *facts.amd.kfd_nodes);
    }
    for (Gpu& gpu : gpus) {
        add_gfx(gpu, tables);
    }
    return in_order(gpus);
}

}  // namespace whygpu
