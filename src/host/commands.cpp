#include "host/commands.h"

#include <algorithm>
#include <array>

namespace whygpu {

namespace {

// A command is the last resort: what a file tells is read from the file. dpkg-query ends with 1 when
// one of its patterns matches nothing and still prints the others.
constexpr std::array allowed = {
    AllowedCommand{command::fabric_manager_state, "whether the NVSwitch service is installed and runs"},
    AllowedCommand{command::fabric_manager_version, "must equal the driver version on NVSwitch machines"},
    AllowedCommand{command::dpkg_gpu_packages, "which driver packages Debian and Ubuntu have installed"},
    AllowedCommand{command::rpm_gpu_packages, "which driver packages Fedora, RHEL and SUSE have installed"},
    AllowedCommand{command::loader_cache, "which CUDA libraries the dynamic loader finds without a path"},
    AllowedCommand{command::secure_boot_state, "Secure Boot, where the EFI variable cannot be read"},
    AllowedCommand{command::nvidia_smi_list, "the driver's own list of GPUs, as users paste it"},
    AllowedCommand{command::docker_version, "how this Docker is given a GPU: by runtime or by CDI"},
};

}  // namespace

std::span<const AllowedCommand> allowed_commands() {
    return allowed;
}

bool is_allowed(std::string_view command_line) {
    return std::ranges::any_of(allowed,
                               [&](const AllowedCommand& entry) { return entry.line == command_line; });
}

}  // namespace whygpu
