#include <array>
#include <span>

#include "facts/facts.h"
#include "host/driver_answer.h"

namespace whygpu::probes::nvml_driver {

namespace {

using Devices = std::vector<NvmlFacts::Device>;
using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 2> on_off = {"disabled", "enabled"};
constexpr std::array<std::string_view, 4> compute_modes = {"default", "exclusive-thread", "prohibited",
                                                           "exclusive-process"};
constexpr std::array<std::string_view, 5> virtualisation_modes = {"none", "passthrough", "vgpu", "host-vgpu",
                                                                  "host-vsga"};

constexpr std::array<std::string_view, 3> driver_models = {"wddm", "tcc", "mcdm"};
constexpr std::array<std::string_view, 4> fabric_states = {"not-supported", "not-started", "in-progress",
                                                           "completed"};
constexpr std::array<std::string_view, 6> recovery_actions = {"none",  "reset",           "reboot",
                                                              "drain", "drain-and-reset", "reset-imex"};

// The name at the place that a number gives; malformed for a number without one.
Known<std::string> named(const Known<std::int64_t>& number, Names names) {
    if (!number) {
        return Known<std::string>::missing_like(number);
    }
    const std::size_t place = static_cast<std::size_t>(*number);
    if (place >= names.size()) {
        const std::string because = "no name for mode " + std::to_string(*number);
        return Known<std::string>::missing(Missing::malformed, because, number.source());
    }
    return Known<std::string>(std::string(names[place]), number.source());
}

Known<double> watts(const Known<std::int64_t>& milliwatts) {
    if (!milliwatts) {
        return Known<double>::missing_like(milliwatts);
    }
    return Known<double>(static_cast<double>(*milliwatts) / 1000.0, milliwatts.source());
}

Known<bool> yes_no(const Known<std::int64_t>& number) {
    if (!number) {
        return Known<bool>::missing_like(number);
    }
    return Known<bool>(*number != 0, number.source());
}

// Limits of heat and power, and modes.
void add_limits(const DriverAnswer& answer, int index, NvmlFacts::Device& device) {
    const auto number = [&](std::string_view call, std::string_view key) {
        return answer.number(call, key, index);
    };
    device.temperature_margin_c = answer.signed_number("nvmlDeviceGetMarginTemperature", "celsius", index);
    device.shutdown_temperature_c = number("nvmlDeviceGetTemperatureThreshold.shutdown", "celsius");
    device.memory_max_temperature_c = number("nvmlDeviceGetTemperatureThreshold.memory", "celsius");
    device.operating_max_temperature_c = number("nvmlDeviceGetTemperatureThreshold.operating", "celsius");
    device.power_default_w = watts(number("nvmlDeviceGetPowerManagementDefaultLimit", "milliwatts"));
    device.power_min_w = watts(number("nvmlDeviceGetPowerManagementLimitConstraints", "least_milliwatts"));
    device.power_max_w = watts(number("nvmlDeviceGetPowerManagementLimitConstraints", "most_milliwatts"));
    device.persistence_mode = named(number("nvmlDeviceGetPersistenceMode", "mode"), on_off);
    device.driver_model = named(number("nvmlDeviceGetDriverModel", "current"), driver_models);
    device.ecc_pending = named(number("nvmlDeviceGetEccMode", "pending"), on_off);
    device.mig_pending = named(number("nvmlDeviceGetMigMode", "pending"), on_off);
    device.mig_instances = number("nvmlDeviceGetMigDeviceHandleByIndex", "count");
}

// The wear of memory and links, and what follows from it.
void add_health(const DriverAnswer& answer, int index, NvmlFacts::Device& device) {
    const auto number = [&](std::string_view call, std::string_view key) {
        return answer.number(call, key, index);
    };
    device.remapped_correctable = number("nvmlDeviceGetRemappedRows", "correctable");
    device.remapped_uncorrectable = number("nvmlDeviceGetRemappedRows", "uncorrectable");
    device.remap_pending = yes_no(number("nvmlDeviceGetRemappedRows", "pending"));
    device.remap_failed = yes_no(number("nvmlDeviceGetRemappedRows", "failed"));
    device.retired_single_bit = number("nvmlDeviceGetRetiredPages.single-bit", "count");
    device.retired_double_bit = number("nvmlDeviceGetRetiredPages.double-bit", "count");
    device.retirement_pending = yes_no(number("nvmlDeviceGetRetiredPagesPendingStatus", "pending"));
    device.pcie_replays = number("nvmlDeviceGetPcieReplayCounter", "replays");
    device.nvlink_links = number("nvmlDeviceGetNvLinkState", "links");
    device.nvlink_active = number("nvmlDeviceGetNvLinkState", "active");
    device.fabric_state = named(number("nvmlDeviceGetGpuFabricInfo", "state"), fabric_states);
    device.recovery_action = named(number("nvmlDeviceGetFieldValues.recovery", "action"), recovery_actions);
}

NvmlFacts::Device device(const DriverAnswer& answer, int index) {
    const auto number = [&](std::string_view call, std::string_view key) {
        return answer.number(call, key, index);
    };
    NvmlFacts::Device device;
    device.name = answer.text("nvmlDeviceGetName", "device_name", index);
    device.pci_address = answer.text("nvmlDeviceGetPciInfo", "pci_address", index);
    device.compute_capability =
        answer.text("nvmlDeviceGetCudaComputeCapability", "compute_capability", index);
    device.memory_total_bytes = number("nvmlDeviceGetMemoryInfo", "total_bytes");
    device.memory_used_bytes = number("nvmlDeviceGetMemoryInfo", "used_bytes");
    device.temperature_c = number("nvmlDeviceGetTemperature", "celsius");
    device.slowdown_temperature_c = number("nvmlDeviceGetTemperatureThreshold", "celsius");
    device.power_w = watts(number("nvmlDeviceGetPowerUsage", "milliwatts"));
    device.power_limit_w = watts(number("nvmlDeviceGetEnforcedPowerLimit", "milliwatts"));
    device.sm_clock_mhz = number("nvmlDeviceGetClockInfo", "megahertz");
    device.sm_clock_max_mhz = number("nvmlDeviceGetMaxClockInfo", "megahertz");
    device.clock_reasons = answer.texts("nvmlDeviceGetCurrentClocksEventReasons", "reasons", index);
    device.link_generation = number("nvmlDeviceGetCurrPcieLinkGeneration", "generation");
    device.link_generation_max = number("nvmlDeviceGetMaxPcieLinkGeneration", "generation");
    device.link_width = number("nvmlDeviceGetCurrPcieLinkWidth", "lanes");
    device.link_width_max = number("nvmlDeviceGetMaxPcieLinkWidth", "lanes");
    device.utilisation_percent = number("nvmlDeviceGetUtilizationRates", "gpu_percent");
    device.ecc_mode = named(number("nvmlDeviceGetEccMode", "current"), on_off);
    device.ecc_uncorrected = number("nvmlDeviceGetTotalEccErrors", "errors");
    device.mig_mode = named(number("nvmlDeviceGetMigMode", "current"), on_off);
    device.compute_mode = named(number("nvmlDeviceGetComputeMode", "mode"), compute_modes);
    device.process_count = number("nvmlDeviceGetComputeRunningProcesses", "count");
    add_limits(answer, index, device);
    add_health(answer, index, device);
    device.lost = answer.gave("NVML_ERROR_GPU_IS_LOST", index);
    device.virtualisation = named(number("nvmlDeviceGetVirtualizationMode", "mode"), virtualisation_modes);
    return device;
}

Known<Devices> devices(const DriverAnswer& answer) {
    const Known<std::int64_t> count = answer.device_count("nvmlDeviceGetCount", "nvmlInit");
    if (!count) {
        return Known<Devices>::missing_like(count);
    }
    Devices devices;
    for (int index = 0; index < *count; ++index) {
        devices.push_back(device(answer, index));
    }
    return Known<Devices>(devices, count.source());
}

}  // namespace

void probe(Host& host, Facts& facts) {
    const DriverAnswer answer = DriverAnswer::ask(host, "nvml");
    NvmlFacts& nvml = facts.nvml;
    nvml.library = answer.library();
    nvml.init_code = answer.code("nvmlInit");
    nvml.init_name = answer.code_name("nvmlInit");
    nvml.driver_version = answer.text("nvmlSystemGetDriverVersion", "version");
    nvml.nvml_version = answer.text("nvmlSystemGetNVMLVersion", "version");
    nvml.driver_cuda = answer.cuda_version("nvmlSystemGetCudaDriverVersion");
    nvml.devices = devices(answer);
    nvml.failed_call = answer.failed_call();
    nvml.confidential = yes_no(answer.number("nvmlSystemGetConfComputeState", "feature"));
    nvml.confidential_ready = yes_no(answer.number("nvmlSystemGetConfComputeGpusReadyState", "ready"));
}

}  // namespace whygpu::probes::nvml_driver
