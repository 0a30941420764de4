#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "host/ask.h"

// Which makers' GPUs are on the bus, for probes that are worth their time only beside certain cards. No
// unit: helpers of this folder are headers. Asks the files that probe.pci asks, so that a snapshot holds
// them.

namespace whygpu::probes {

/// The PCI vendor ids ("1002") of display adapters and accelerators, each once; missing when the bus
/// cannot be listed. A device that cannot be read is left out.
inline Known<std::vector<std::string>> display_vendors(Host& host) {
    const std::string bus = "/sys/bus/pci/devices";
    const Known<std::vector<std::string>> addresses = list_directory(host, bus);
    if (!addresses) {
        return addresses;
    }
    std::vector<std::string> vendors;
    for (const std::string& address : *addresses) {
        const Known<std::string> kind = read_value(host, bus + "/" + address + "/class");
        if (!kind || (!kind->starts_with("0x03") && !kind->starts_with("0x12"))) {
            continue;
        }
        const Known<std::string> id = read_value(host, bus + "/" + address + "/vendor");
        const std::string vendor = id ? lower(after_prefix(*id, "0x").value_or(*id)) : "";
        if (!vendor.empty() && std::ranges::find(vendors, vendor) == vendors.end()) {
            vendors.push_back(vendor);
        }
    }
    return Known<std::vector<std::string>>(std::move(vendors), addresses.source());
}

/// Whether one of `wanted` is among the vendors.
inline bool has_vendor(const Known<std::vector<std::string>>& vendors, std::string_view wanted) {
    return vendors && std::ranges::find(*vendors, wanted) != vendors->end();
}

}  // namespace whygpu::probes
