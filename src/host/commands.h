#pragma once

#include <span>
#include <string_view>

namespace whygpu {

/// The command lines that whygpu may run, as QueryKind::command wants them. Arguments are separated
/// by single spaces and hold none; there is no shell, so `*`, `$` and `\n` reach the program as they
/// stand. All of them only read.
namespace command {
inline constexpr std::string_view fabric_manager_state =
    "systemctl show nvidia-fabricmanager.service --property=LoadState,ActiveState";
inline constexpr std::string_view fabric_manager_version = "nv-fabricmanager --version";
inline constexpr std::string_view dpkg_gpu_packages =
    R"(dpkg-query -W -f=${Package}=${Version}=${db:Status-Status}\n nvidia-* libnvidia-* linux-modules-nvidia-* linux-objects-nvidia-* libcuda* cuda-drivers* xserver-xorg-video-nvidia* rocm* amdgpu*)";
inline constexpr std::string_view rpm_gpu_packages =
    R"(rpm -qa --qf %{NAME}=%{VERSION}-%{RELEASE}\n *nvidia*)";
inline constexpr std::string_view loader_cache = "ldconfig -p";
inline constexpr std::string_view secure_boot_state = "mokutil --sb-state";
inline constexpr std::string_view nvidia_smi_list = "nvidia-smi -L";
inline constexpr std::string_view docker_version = "docker --version";
}  // namespace command

/// A command line that may be run and why whygpu asks it.
struct AllowedCommand {
    std::string_view line;
    std::string_view reason;
};

/// The whole allow-list.
std::span<const AllowedCommand> allowed_commands();

/// Whether a command line is on the list, letter for letter.
bool is_allowed(std::string_view command_line);

}  // namespace whygpu
