#include "knowledge/gpu_health.h"

#include <algorithm>

#include "base/text.h"
#include "knowledge/driver_state.h"

namespace whygpu {

namespace {

bool is_about(const KernelMessage& message, std::string_view address) {
    return address.empty() || !message.pci_address || same_device(*message.pci_address, address);
}

template <class Wanted>
std::vector<const KernelMessage*> messages_that(const Facts& facts, Wanted wanted) {
    std::vector<const KernelMessage*> found;
    if (facts.kernel_log.messages) {
        for (const KernelMessage& message : *facts.kernel_log.messages) {
            if (message.text && wanted(message)) {
                found.push_back(&message);
            }
        }
    }
    return found;
}

}  // namespace

bool same_device(std::string_view address, std::string_view other) {
    const std::string one = normalised_pci_address(address);
    const std::string two = normalised_pci_address(other);
    return !one.empty() && one.substr(0, one.find('.')) == two.substr(0, two.find('.'));
}

std::vector<const KernelMessage*> xid_messages(const Facts& facts, std::initializer_list<std::int64_t> codes,
                                               std::string_view address) {
    return messages_that(facts, [&](const KernelMessage& message) {
        return message.kind.is("xid") && message.code &&
               std::find(codes.begin(), codes.end(), *message.code) != codes.end() &&
               is_about(message, address);
    });
}

std::vector<const KernelMessage*> driver_messages(const Facts& facts, std::string_view phrase,
                                                  std::string_view address) {
    return messages_that(facts, [&](const KernelMessage& message) {
        return message.kind.is("nvrm") && contains(*message.text, phrase) && is_about(message, address);
    });
}

const NvmlFacts::Device* nvml_device(const Facts& facts, std::string_view address) {
    if (!facts.nvml.devices) {
        return nullptr;
    }
    for (const NvmlFacts::Device& device : *facts.nvml.devices) {
        if (device.pci_address && same_device(*device.pci_address, address)) {
            return &device;
        }
    }
    return nullptr;
}

bool answers(const Gpu& gpu, const Facts& facts) {
    const NvmlFacts::Device* device = nvml_device(facts, gpu.address);
    return device != nullptr && device->memory_total_bytes.known() && !device->lost.is(true);
}

bool driver_is_silent(const Facts& facts) {
    constexpr std::int64_t not_loaded = 9;  // NVML_ERROR_DRIVER_NOT_LOADED
    constexpr std::int64_t mismatch = 18;   // NVML_ERROR_LIB_RM_VERSION_MISMATCH
    const bool without_library = facts.container.inside.is(true) && !facts.nvml.init_code &&
                                 facts.nvml.init_code.why() == Missing::absent;
    return nvidia_module_loaded(facts).is(false) || without_library || facts.nvml.init_code.is(not_loaded) ||
           facts.nvml.init_code.is(mismatch);
}

bool all_answer(const Facts& facts, const Knowledge& tables) {
    std::vector<Gpu> gpus = capable_nvidia_gpus(facts, tables);
    std::erase_if(gpus, [](const Gpu& gpu) { return !gpu.driver.empty() && gpu.driver != "nvidia"; });
    const auto fine = [&](const Gpu& gpu) { return answers(gpu, facts); };
    if (facts.container.inside.is(true)) {
        return std::any_of(gpus.begin(), gpus.end(), fine);
    }
    return !gpus.empty() && std::all_of(gpus.begin(), gpus.end(), fine);
}

}  // namespace whygpu
