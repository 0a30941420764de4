#pragma once

#include <cstdint>

#include "facts/field.h"

namespace whygpu {

/// A device node that our child could not open for reading and writing.
struct NodeError {
    Known<std::string> path;
    Known<std::string> error;
    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"path", "/dev/nvidiactl"}, &NodeError::path);
        visit(Field{"error", "name of its errno, EACCES"}, &NodeError::error);
    }
};

/// What the CUDA driver library answered to our child `whygpu _ask cuda`.
struct CudaFacts {
    struct Device {
        Known<std::string> name;
        Known<std::string> compute_capability;
        Known<std::int64_t> memory_bytes;
        Known<std::string> pci_address;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "cuDeviceGetName"}, &Device::name);
            visit(Field{"compute_capability", "major.minor"}, &Device::compute_capability);
            visit(Field{"memory_bytes", "cuDeviceTotalMem, bytes"}, &Device::memory_bytes);
            visit(Field{"pci_address", "0000:01:00.0"}, &Device::pci_address);
        }
    };
    Known<std::string> library;
    Known<std::int64_t> init_code;
    Known<std::string> init_name;
    Known<std::string> driver_cuda;
    Known<std::vector<Device>> devices;
    Known<std::int64_t> context_code;
    Known<std::int64_t> copy_code;
    Known<std::int64_t> kernel_code;
    Known<std::string> failed_call;
    Known<std::vector<NodeError>> node_errors;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"library", "file that dlopen(libcuda.so.1) loaded"}, &CudaFacts::library);
        visit(Field{"init_code", "CUresult of cuInit, 0 is success"}, &CudaFacts::init_code);
        visit(Field{"init_name", "its name, CUDA_ERROR_NO_DEVICE"}, &CudaFacts::init_name);
        visit(Field{"driver_cuda", "newest CUDA that the driver serves, 12.8"}, &CudaFacts::driver_cuda);
        visit(Field{"devices", "devices that CUDA offers to this process"}, &CudaFacts::devices);
        visit(Field{"context_code", "CUresult of creating a context on device 0"}, &CudaFacts::context_code);
        visit(Field{"copy_code", "CUresult of a small copy to the device and back; -1 when the bytes differ"},
              &CudaFacts::copy_code);
        visit(Field{"kernel_code", "CUresult of one tiny kernel from PTX; -1 when its result is wrong"},
              &CudaFacts::kernel_code);
        visit(Field{"failed_call", "the call in which the child crashed or hung"}, &CudaFacts::failed_call);
        visit(Field{"node_errors", "device nodes that could not be opened; asked only after cuInit failed"},
              &CudaFacts::node_errors);
    }
};

/// What the NVIDIA management library answered to our child `whygpu _ask nvml`.
struct NvmlFacts {
    struct Device {
        Known<std::string> name;
        Known<std::string> pci_address;
        Known<std::string> compute_capability;
        Known<std::int64_t> memory_total_bytes;
        Known<std::int64_t> memory_used_bytes;
        Known<std::int64_t> temperature_c;
        Known<std::int64_t> slowdown_temperature_c;
        Known<double> power_w;
        Known<double> power_limit_w;
        Known<std::int64_t> sm_clock_mhz;
        Known<std::int64_t> sm_clock_max_mhz;
        Known<std::vector<std::string>> clock_reasons;
        Known<std::int64_t> link_generation;
        Known<std::int64_t> link_generation_max;
        Known<std::int64_t> link_width;
        Known<std::int64_t> link_width_max;
        Known<std::int64_t> utilisation_percent;
        Known<std::string> ecc_mode;
        Known<std::int64_t> ecc_uncorrected;
        Known<std::string> mig_mode;
        Known<std::string> compute_mode;
        Known<std::int64_t> process_count;
        Known<std::int64_t> temperature_margin_c;
        Known<std::int64_t> shutdown_temperature_c;
        Known<std::int64_t> memory_max_temperature_c;
        Known<std::int64_t> operating_max_temperature_c;
        Known<double> power_default_w;
        Known<double> power_min_w;
        Known<double> power_max_w;
        Known<std::string> persistence_mode;
        Known<std::string> driver_model;
        Known<std::string> ecc_pending;
        Known<std::string> mig_pending;
        Known<std::int64_t> mig_instances;
        Known<std::int64_t> remapped_correctable;
        Known<std::int64_t> remapped_uncorrectable;
        Known<bool> remap_pending;
        Known<bool> remap_failed;
        Known<std::int64_t> retired_single_bit;
        Known<std::int64_t> retired_double_bit;
        Known<bool> retirement_pending;
        Known<std::int64_t> pcie_replays;
        Known<std::int64_t> nvlink_links;
        Known<std::int64_t> nvlink_active;
        Known<std::string> fabric_state;
        Known<std::string> recovery_action;
        Known<bool> lost;
        Known<std::string> virtualisation;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "product name"}, &Device::name);
            visit(Field{"pci_address", "0000:01:00.0"}, &Device::pci_address);
            visit(Field{"compute_capability", "major.minor"}, &Device::compute_capability);
            visit(Field{"memory_total_bytes", "frame buffer, bytes"}, &Device::memory_total_bytes);
            visit(Field{"memory_used_bytes", "frame buffer in use, bytes"}, &Device::memory_used_bytes);
            visit(Field{"temperature_c", "GPU temperature, degrees Celsius"}, &Device::temperature_c);
            visit(Field{"slowdown_temperature_c", "the card's own slow-down threshold, degrees Celsius"},
                  &Device::slowdown_temperature_c);
            visit(Field{"power_w", "power draw, watts"}, &Device::power_w);
            visit(Field{"power_limit_w", "enforced power limit, watts"}, &Device::power_limit_w);
            visit(Field{"sm_clock_mhz", "SM clock now, MHz"}, &Device::sm_clock_mhz);
            visit(Field{"sm_clock_max_mhz", "highest SM clock, MHz"}, &Device::sm_clock_max_mhz);
            visit(Field{"clock_reasons", "clock-event reasons that are active"}, &Device::clock_reasons);
            visit(Field{"link_generation", "PCIe generation now"}, &Device::link_generation);
            visit(Field{"link_generation_max", "PCIe generation that card and slot have"},
                  &Device::link_generation_max);
            visit(Field{"link_width", "PCIe lanes now"}, &Device::link_width);
            visit(Field{"link_width_max", "PCIe lanes that card and slot have"}, &Device::link_width_max);
            visit(Field{"utilisation_percent", "share of time with a kernel running, percent"},
                  &Device::utilisation_percent);
            visit(Field{"ecc_mode", "enabled or disabled"}, &Device::ecc_mode);
            visit(Field{"ecc_uncorrected", "uncorrectable memory errors since the driver loaded"},
                  &Device::ecc_uncorrected);
            visit(Field{"mig_mode", "enabled or disabled"}, &Device::mig_mode);
            visit(Field{"compute_mode", "default, exclusive-thread, prohibited, exclusive-process"},
                  &Device::compute_mode);
            visit(Field{"process_count", "compute processes on the device"}, &Device::process_count);
            describe_limits(visit);
            describe_health(visit);
        }
        template <class Visitor>
        static void describe_limits(Visitor& visit) {
            visit(Field{"temperature_margin_c",
                        "degrees Celsius to the limit where clocks drop (T.Limit); negative beyond it"},
                  &Device::temperature_margin_c);
            visit(Field{"shutdown_temperature_c", "the card switches off there, degrees Celsius"},
                  &Device::shutdown_temperature_c);
            visit(Field{"memory_max_temperature_c", "clocks drop when the memory is so hot, degrees Celsius"},
                  &Device::memory_max_temperature_c);
            visit(Field{"operating_max_temperature_c", "highest temperature of normal work, degrees Celsius"},
                  &Device::operating_max_temperature_c);
            visit(Field{"power_default_w", "power limit that the card starts with, watts"},
                  &Device::power_default_w);
            visit(Field{"power_min_w", "lowest power limit that can be set, watts"}, &Device::power_min_w);
            visit(Field{"power_max_w", "highest power limit that can be set, watts"}, &Device::power_max_w);
            visit(Field{"persistence_mode", "enabled or disabled"}, &Device::persistence_mode);
            visit(Field{"driver_model", "of Windows: wddm, tcc or mcdm"}, &Device::driver_model);
            visit(Field{"ecc_pending", "enabled or disabled from the next start on"}, &Device::ecc_pending);
            visit(Field{"mig_pending", "enabled or disabled from the next reset on"}, &Device::mig_pending);
            visit(Field{"mig_instances", "MIG devices that programs can use"}, &Device::mig_instances);
        }
        template <class Visitor>
        static void describe_health(Visitor& visit) {
            visit(Field{"remapped_correctable", "memory rows replaced after correctable errors"},
                  &Device::remapped_correctable);
            visit(Field{"remapped_uncorrectable", "memory rows replaced after uncorrectable errors"},
                  &Device::remapped_uncorrectable);
            visit(Field{"remap_pending", "a row is replaced at the next reset"}, &Device::remap_pending);
            visit(Field{"remap_failed", "a row could not be replaced: no spare row left"},
                  &Device::remap_failed);
            visit(Field{"retired_single_bit", "memory pages given up after repeated single-bit errors"},
                  &Device::retired_single_bit);
            visit(Field{"retired_double_bit", "memory pages given up after double-bit errors"},
                  &Device::retired_double_bit);
            visit(Field{"retirement_pending", "a page is given up when the driver loads next"},
                  &Device::retirement_pending);
            visit(Field{"pcie_replays", "PCIe packets sent again since the driver loaded"},
                  &Device::pcie_replays);
            visit(Field{"nvlink_links", "NVLinks that the card has"}, &Device::nvlink_links);
            visit(Field{"nvlink_active", "NVLinks that are up"}, &Device::nvlink_active);
            visit(Field{"fabric_state", "not-supported, not-started, in-progress or completed"},
                  &Device::fabric_state);
            visit(
                Field{"recovery_action",
                      "what the driver wants done: none, reset, reboot, drain, drain-and-reset, reset-imex"},
                &Device::recovery_action);
            visit(Field{"lost", "a call about the device gave NVML_ERROR_GPU_IS_LOST"}, &Device::lost);
            visit(Field{"virtualisation", "none, passthrough, vgpu, host-vgpu, host-vsga"},
                  &Device::virtualisation);
        }
    };
    Known<std::string> library;
    Known<std::int64_t> init_code;
    Known<std::string> init_name;
    Known<std::string> driver_version;
    Known<std::string> nvml_version;
    Known<std::string> driver_cuda;
    Known<std::vector<Device>> devices;
    Known<std::string> failed_call;
    Known<bool> confidential;
    Known<bool> confidential_ready;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"library", "file that dlopen(libnvidia-ml.so.1) loaded"}, &NvmlFacts::library);
        visit(Field{"init_code", "nvmlReturn_t of nvmlInit, 0 is success"}, &NvmlFacts::init_code);
        visit(Field{"init_name", "its name, NVML_ERROR_LIB_RM_VERSION_MISMATCH"}, &NvmlFacts::init_name);
        visit(Field{"driver_version", "version of the kernel driver, 570.86.10"}, &NvmlFacts::driver_version);
        visit(Field{"nvml_version", "version of the library"}, &NvmlFacts::nvml_version);
        visit(Field{"driver_cuda", "newest CUDA that the driver serves, 12.8"}, &NvmlFacts::driver_cuda);
        visit(Field{"devices", "GPUs that NVML lists"}, &NvmlFacts::devices);
        visit(Field{"failed_call", "the call in which the child crashed or hung"}, &NvmlFacts::failed_call);
        visit(Field{"confidential", "confidential computing is on"}, &NvmlFacts::confidential);
        visit(Field{"confidential_ready", "the GPUs were set ready for confidential work"},
              &NvmlFacts::confidential_ready);
    }
};

}  // namespace whygpu
