#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"

namespace whygpu {

class Knowledge;

/// What is known about a gfx target.
struct GfxSupport {
    std::string gfx;               ///< gfx1030
    std::string architecture;      ///< RDNA 2
    std::optional<bool> apu;       ///< part of a processor, not a card
    std::optional<bool> official;  ///< in AMD's list for Linux; a card's own row wins, see rocm_official
    std::string official_note;
    std::string safe_override;  ///< HSA_OVERRIDE_GFX_VERSION for builds without the target; "" unless safe
    std::string note;
    std::string source;  ///< keys of table sources, comma-separated
    std::string confidence;
};

/// By target name, "gfx1030".
std::optional<GfxSupport> gfx_support(const Knowledge& tables, std::string_view gfx);

/// The gfx target of an AMD PCI device by its name in pci.ids ("Navi 21 [Radeon RX 6800/…]"), by the
/// longest prefix in the table; empty when no row fits. What the kernel's KFD says is better.
std::string gfx_of_pci_name(const Knowledge& tables, std::string_view pci_ids_name);

/// Whether AMD lists the card for ROCm on Linux: the card's row by its exact name, else the target's.
std::optional<bool> rocm_official(const Knowledge& tables, std::string_view gfx, std::string_view card_name);

/// The gfx targets with code in a ROCm wheel of torch: 2.7 and "rocm6.3". Empty when not read.
std::optional<std::vector<std::string>> torch_rocm_code(const Knowledge& tables, const Version& torch_release,
                                                        std::string_view tag);

/// The newest torch series whose ROCm wheel is known to have code for a target, with its tag.
struct RocmChoice {
    Version series;
    std::string tag;         ///< rocm7.2
    std::string index_path;  ///< whl/rocm7.2
};
std::optional<RocmChoice> newest_rocm_torch_for(const Knowledge& tables, std::string_view gfx);

}  // namespace whygpu
