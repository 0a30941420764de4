#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"

namespace whygpu {

class Knowledge;
struct Facts;

/// A display adapter or accelerator of this machine, joined from what PCI, NVML, CUDA and KFD say.
struct Gpu {
    std::string address;       ///< 0000:01:00.0; "" when nobody gave one
    std::string vendor;        ///< nvidia, amd, intel or other
    std::string name;          ///< to show: NVML's or CUDA's, else that of pci.ids, else "NVIDIA device 2b85"
    std::string chip;          ///< GB202; "" when not known
    std::string architecture;  ///< Blackwell; "" when not known
    std::string gfx;           ///< gfx1100, for AMD; "" when not known
    std::optional<Version> compute_capability;  ///< for NVIDIA
    std::optional<int> last_driver_branch;      ///< for NVIDIA; empty: current drivers serve it
    std::string open_modules;                   ///< for NVIDIA: no, optional, required; "" when not known
    std::string driver;                         ///< bound kernel driver; "" when none or not known
    bool capable = false;                       ///< can run CUDA or ROCm at all
    bool integrated = false;                    ///< part of a processor or SoC
    int pci_index = -1;  ///< in facts.pci.gpus; -1 when only the driver knows it (WSL, Jetson)
};

/// All of them: capable discrete NVIDIA first, then other capable NVIDIA, AMD cards, AMD APUs, then
/// what cannot compute (virtual, management and Intel adapters, cards before Fermi).
/// An NVIDIA card newer than the tables counts as capable.
std::vector<Gpu> gpus_of(const Facts& facts, const Knowledge& tables);

/// A PCI address as sysfs writes it: NVML's "00000000:C1:00.0" and "c1:00.0" become "0000:c1:00.0".
/// Text that is no address is only put in lower case.
std::string normalised_pci_address(std::string_view address);

}  // namespace whygpu
