#pragma once

#include <cstdint>

#include "facts/drivers.h"

namespace whygpu {

/// What the HIP runtime of ROCm answered to our child `whygpu _ask hip`.
struct HipFacts {
    struct Device {
        Known<std::string> name;
        Known<std::string> gfx;
        Known<std::string> gfx_features;
        Known<std::int64_t> memory_bytes;
        Known<std::string> pci_address;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "hipDeviceGetName"}, &Device::name);
            visit(Field{"gfx", "target that code must be made for, gfx90a"}, &Device::gfx);
            visit(Field{"gfx_features", "what the target's name has behind it, sramecc+:xnack-"},
                  &Device::gfx_features);
            visit(Field{"memory_bytes", "hipDeviceTotalMem, bytes"}, &Device::memory_bytes);
            visit(Field{"pci_address", "0000:03:00.0"}, &Device::pci_address);
        }
    };
    Known<std::string> library;
    Known<std::int64_t> init_code;
    Known<std::string> init_name;
    Known<std::string> driver_version;
    Known<std::string> runtime_version;
    Known<std::vector<Device>> devices;
    Known<std::int64_t> copy_code;
    Known<std::string> failed_call;
    Known<std::vector<NodeError>> node_errors;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"library", "file that dlopen(libamdhip64.so) loaded"}, &HipFacts::library);
        visit(Field{"init_code", "hipError_t of hipInit, 0 is success"}, &HipFacts::init_code);
        visit(Field{"init_name", "its name, hipErrorNoDevice"}, &HipFacts::init_name);
        visit(Field{"driver_version", "hipDriverGetVersion, 6.2"}, &HipFacts::driver_version);
        visit(Field{"runtime_version", "hipRuntimeGetVersion, 6.2"}, &HipFacts::runtime_version);
        visit(Field{"devices", "devices that HIP offers to this process"}, &HipFacts::devices);
        visit(Field{"copy_code", "hipError_t of a small copy to device 0 and back; -1 when the bytes differ"},
              &HipFacts::copy_code);
        visit(Field{"failed_call", "the call in which the child crashed or hung"}, &HipFacts::failed_call);
        visit(Field{"node_errors", "device nodes that could not be opened; asked only after hipInit failed"},
              &HipFacts::node_errors);
    }
};

/// What the OpenCL loader answered to our child `whygpu _ask opencl`.
struct OpenClFacts {
    struct Device {
        Known<std::string> name;
        Known<std::string> type;
        Known<std::string> platform;
        Known<std::string> vendor;
        Known<std::string> driver_version;
        Known<std::int64_t> memory_bytes;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "CL_DEVICE_NAME"}, &Device::name);
            visit(Field{"type", "cpu, gpu, accelerator or custom"}, &Device::type);
            visit(Field{"platform", "name of its platform, Portable Computing Language"}, &Device::platform);
            visit(Field{"vendor", "CL_DEVICE_VENDOR"}, &Device::vendor);
            visit(Field{"driver_version", "CL_DRIVER_VERSION"}, &Device::driver_version);
            visit(Field{"memory_bytes", "CL_DEVICE_GLOBAL_MEM_SIZE, bytes"}, &Device::memory_bytes);
        }
    };
    Known<std::string> library;
    Known<std::int64_t> platforms_code;
    Known<std::string> platforms_name;
    Known<std::int64_t> platform_count;
    Known<std::vector<Device>> devices;
    Known<std::string> failed_call;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"library", "file that dlopen(libOpenCL.so.1) loaded"}, &OpenClFacts::library);
        visit(Field{"platforms_code", "code of clGetPlatformIDs, 0 is success, -1001 no platform"},
              &OpenClFacts::platforms_code);
        visit(Field{"platforms_name", "its name, CL_PLATFORM_NOT_FOUND_KHR"}, &OpenClFacts::platforms_name);
        visit(Field{"platform_count", "OpenCL platforms"}, &OpenClFacts::platform_count);
        visit(Field{"devices", "devices of all platforms"}, &OpenClFacts::devices);
        visit(Field{"failed_call", "the call in which the child crashed or hung"}, &OpenClFacts::failed_call);
    }
};

}  // namespace whygpu
