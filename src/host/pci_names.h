#pragma once

#include <string>
#include <string_view>

#include "host/host.h"

namespace whygpu {

/// The name of "vendor:device" (four hexadecimal digits each) in the machine's pci.ids; absent when
/// there is no such file or no such entry.
Answer read_pci_name(const std::string& vendor_and_device);

/// The same in the text of a pci.ids file, after its first line end; "" when it is not listed.
std::string pci_name_in(std::string_view pci_ids, std::string_view vendor, std::string_view device);

}  // namespace whygpu
