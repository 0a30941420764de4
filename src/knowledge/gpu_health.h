#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "facts/facts.h"
#include "knowledge/gpu_identity.h"

namespace whygpu {

/// A line of the kernel log about a GPU.
using KernelMessage = KernelLogFacts::Message;

/// Whether two PCI addresses name the same device; the function behind the dot does not count.
bool same_device(std::string_view address, std::string_view other);

/// Xid messages with one of the codes about the GPU at `address`, oldest first. Messages that name no GPU
/// count for each; an empty address asks for all.
std::vector<const KernelMessage*> xid_messages(const Facts& facts, std::initializer_list<std::int64_t> codes,
                                               std::string_view address);

/// Lines of the NVIDIA driver that hold `phrase`, under the same conditions.
std::vector<const KernelMessage*> driver_messages(const Facts& facts, std::string_view phrase,
                                                  std::string_view address);

/// What NVML says of the GPU at `address`; nullptr when it does not list it.
const NvmlFacts::Device* nvml_device(const Facts& facts, std::string_view address);

/// Whether the driver reads from the GPU: NVML lists it and told its memory, and no call said that it is
/// lost.
bool answers(const Gpu& gpu, const Facts& facts);

/// Whether there are NVIDIA GPUs that can run CUDA and all of them answer. Cards that another driver holds do
/// not count; of a machine's cards a container needs only one.
bool all_answer(const Facts& facts, const Knowledge& tables);

/// Whether the driver visibly cannot be asked, for a reason that other rules name: its module is not loaded,
/// its libraries are of another version, or a container was given none.
bool driver_is_silent(const Facts& facts);

}  // namespace whygpu
