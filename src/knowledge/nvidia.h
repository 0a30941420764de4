#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/version.h"

namespace whygpu {

class Knowledge;

/// An NVIDIA chip. Optional members are empty where the table does not say.
struct Chip {
    std::string name;          ///< GB202
    std::string architecture;  ///< Blackwell
    std::optional<Version> compute_capability;
    std::optional<int> last_driver_branch;  ///< empty: current drivers serve the chip
    std::optional<int> min_driver_branch;
    bool min_driver_certain = false;  ///< false: recalled, not read; no ground for an accusation
    std::string open_modules;         ///< no, optional, required, or "" when not known
    std::string kind;                 ///< discrete, integrated, tegra
    bool jetson = false;              ///< kind tegra: driver and libraries come with JetPack
    std::optional<bool> bf16;
    std::optional<bool> tensor_cores;
    std::optional<Version> first_cuda;  ///< first toolkit that makes code for the chip
    std::optional<Version> last_cuda;   ///< last one; empty: not ended
    std::string source;                 ///< keys of table sources, comma-separated
    std::string confidence;
};

/// By code name, "GP102".
std::optional<Chip> chip_by_name(const Knowledge& tables, std::string_view chip);

/// The chip of a PCI device: the longest code name that its name in pci.ids starts with
/// ("GK110BGL [Tesla K40m]" is a GK110B), else by its device id ("2b85") from the blocks of ids.
/// Device ids that need the open kernel modules although their chip does not (GH200) say so.
std::optional<Chip> chip_of_device(const Knowledge& tables, std::string_view device_id,
                                   std::string_view pci_ids_name);

/// A chip of that compute capability, for devices that are known by nothing else (WSL, Jetson). What
/// the chips of the capability do not share (name, open_modules, branches…) is left empty.
std::optional<Chip> chip_of_capability(const Knowledge& tables, const Version& compute_capability);

/// "GB202 [GeForce RTX 5090]" → "GeForce RTX 5090"; a name without brackets as it is.
std::string marketing_name(std::string_view pci_ids_name);

/// An NVIDIA card by its product name. Values that sources dispute are left empty. A name may be sold
/// with other chips and memory sizes too: the values are what to expect, no proof of a fault.
struct Card {
    std::string name;
    std::string chip;
    std::optional<Version> compute_capability;
    bool laptop = false;
    std::optional<double> vram_gib;
    std::optional<double> tdp_w;
    std::optional<double> psu_w;  ///< recommended power supply of the whole machine
    std::optional<int> pcie_gen;
    std::optional<int> pcie_width;
    std::optional<double> bandwidth_gbs;
    std::optional<double> fp32_tflops;
    std::optional<double> fp16_tflops;  ///< dense tensor-core rate, accumulated in fp32
    std::optional<bool> bf16;
    std::string source;
    std::string confidence;
};

/// Exact name, with or without a leading "NVIDIA ": a GH200 is not an H200.
std::optional<Card> card_by_name(const Knowledge& tables, std::string_view name);

/// The driver branch to install for a chip: its last one, else the oldest long-term branch that is
/// still maintained and serves it (the one that distributions most likely have). Empty for Jetson and
/// for chips of which too little is known.
std::optional<int> advised_driver_branch(const Knowledge& tables, const Chip& chip);

}  // namespace whygpu
