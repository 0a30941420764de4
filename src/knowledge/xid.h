#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whygpu {

class Knowledge;

/// What is known about an error number that the NVIDIA driver writes to the kernel log.
struct XidMeaning {
    std::int64_t code = 0;
    std::string name;     ///< of the driver's sources, ROBUST_CHANNEL_GPU_HAS_FALLEN_OFF_THE_BUS
    std::string meaning;  ///< a phrase
    /// Xid: info < warning < error (one program) < fatal (GPU unusable until reset or repair).
    /// SXid: its class, "fatal" or other words of the guide.
    std::string severity;
    std::string action;               ///< what to do; "" when nothing is advised
    std::vector<std::string> causes;  ///< application, driver, hardware, thermal, pcie_bus…; Xid only
    std::string unit;                 ///< part of the switch; SXid only
    bool common = false;              ///< met often; Xid only
    std::string confidence;
    std::string source;  ///< keys of table sources, comma-separated
};

/// Of a GPU: "NVRM: Xid (PCI:0000:01:00): 79, …".
std::optional<XidMeaning> xid_meaning(const Knowledge& tables, std::int64_t code);

/// Of an NVSwitch: "nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 12028, …". A code that is not in the table but
/// in the range of a part of the switch has the part only.
std::optional<XidMeaning> sxid_meaning(const Knowledge& tables, std::int64_t code);

}  // namespace whygpu
