#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/known.h"
#include "base/version.h"
#include "knowledge/gpu_identity.h"

namespace whygpu {

/// Whether the nvidia kernel module runs, joined from /proc/driver/nvidia, the list of modules and what
/// NVML and CUDA could do. The source is the line that says so. Says nothing useful in WSL (no module).
Known<bool> nvidia_module_loaded(const Facts& facts);

/// Version of the NVIDIA driver that runs ("570.86.10"): NVML's, else that of the kernel module. In WSL
/// it is the version of the Windows driver. Missing when no driver runs or nobody asked it.
Known<std::string> running_driver_version(const Facts& facts);

/// The running version, else that of the installed driver library.
Known<std::string> installed_driver_version(const Facts& facts);

/// A driver version as NVIDIA writes it, with two digits at its end: 535.183.01, 550.120.
std::string driver_version_text(const Version& version);

/// Major number of the installed version: "570"; empty when it is not known.
std::string installed_driver_branch(const Facts& facts);

/// Whether a library of an installed driver was found; those of compat packages and link-time stubs come
/// without a driver and do not count.
bool driver_library_installed(const Facts& facts);

/// Installed packages that bring the kernel module or all of the driver, "name=version". Empty when there
/// are none or the list is not known. Container tools, toolkits and firmware do not count.
std::vector<std::string> driver_packages(const Facts& facts);

/// The NVIDIA GPUs that can run CUDA, in the order of gpus_of.
std::vector<Gpu> capable_nvidia_gpus(const Facts& facts, const Knowledge& tables);

/// Whether NVML or CUDA lists the GPU: then its driver serves it, whatever the tables say.
bool served_by_driver(const Gpu& gpu, const Facts& facts);

/// The fact that shows the GPU (its name or id on the bus, else the driver's name for it), as evidence.
Known<std::string> seen_as(const Gpu& gpu, const Facts& facts);

/// Known to be empty: an empty list, or nothing there at all (absent). Any other missing list is no proof.
template <class Element>
bool surely_empty(const Known<std::vector<Element>>& list) {
    return list.known() ? list->empty() : list.why() == Missing::absent;
}

/// Known to have elements.
template <class Element>
bool surely_some(const Known<std::vector<Element>>& list) {
    return list.known() && !list->empty();
}

}  // namespace whygpu
