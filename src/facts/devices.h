#pragma once

#include <cstdint>

#include "facts/field.h"

namespace whygpu {

/// Display and 3D controllers (class 03xx) and processing accelerators (class 12xx) on the PCI bus.
struct PciFacts {
    struct Device {
        Known<std::string> address;
        Known<std::string> vendor_id;
        Known<std::string> device_id;
        Known<std::string> subsystem_id;
        Known<std::string> class_code;
        Known<std::string> name;
        Known<std::string> driver;
        Known<std::int64_t> link_width;
        Known<std::int64_t> link_width_max;
        Known<double> link_speed_gts;
        Known<double> link_speed_max_gts;
        Known<std::int64_t> slot_width_max;
        Known<std::int64_t> numa_node;
        Known<std::string> iommu_type;
        Known<std::string> removable;

        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"address", "PCI address, 0000:01:00.0"}, &Device::address);
            visit(Field{"vendor_id", "four hexadecimal digits, 10de is NVIDIA, 1002 AMD"},
                  &Device::vendor_id);
            visit(Field{"device_id", "four hexadecimal digits"}, &Device::device_id);
            visit(Field{"subsystem_id", "subsystem vendor and device, 1043:8888"}, &Device::subsystem_id);
            visit(Field{"class_code", "six hexadecimal digits, 030000 is VGA, 030200 3D"},
                  &Device::class_code);
            visit(Field{"name", "name in pci.ids: chip [card]"}, &Device::name);
            visit(Field{"driver", "bound kernel driver"}, &Device::driver);
            visit(Field{"link_width", "PCIe lanes now"}, &Device::link_width);
            visit(Field{"link_width_max", "PCIe lanes that the card can use"}, &Device::link_width_max);
            visit(Field{"link_speed_gts", "PCIe speed now, GT/s"}, &Device::link_speed_gts);
            visit(Field{"link_speed_max_gts", "PCIe speed that the card can use, GT/s"},
                  &Device::link_speed_max_gts);
            visit(Field{"slot_width_max", "PCIe lanes of the port above the card"}, &Device::slot_width_max);
            visit(Field{"numa_node", "NUMA node, -1 when the firmware names none"}, &Device::numa_node);
            visit(Field{"iommu_type", "domain of its IOMMU group: identity, DMA, DMA-FQ; absent without one"},
                  &Device::iommu_type);
            visit(Field{"removable", "removable behind Thunderbolt or USB4, else fixed or unknown"},
                  &Device::removable);
        }
    };
    Known<std::vector<Device>> gpus;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"gpus", "display, 3D and accelerator devices"}, &PciFacts::gpus);
    }
};

/// Device nodes of GPU drivers.
struct NodeFacts {
    struct Node {
        Known<std::string> path;
        Known<std::string> mode;
        Known<std::string> owner_group;
        Known<bool> usable;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"path", "/dev/nvidia0"}, &Node::path);
            visit(Field{"mode", "permission bits, octal: 0666"}, &Node::mode);
            visit(Field{"owner_group", "name or number of the node's group"}, &Node::owner_group);
            visit(Field{"usable", "this user may open it for reading and writing"}, &Node::usable);
        }
    };
    Known<std::vector<Node>> nodes;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"nodes", "/dev/nvidia*, /dev/nvidia-caps, /dev/kfd, /dev/dri/render*, /dev/dxg"},
              &NodeFacts::nodes);
    }
};

/// The NVIDIA driver as its files and /proc tell: kernel side and user side.
struct NvidiaFacts {
    struct ProcGpu {
        Known<std::string> address;
        Known<std::string> model;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"address", "PCI address"}, &ProcGpu::address);
            visit(Field{"model", "Model of /proc/driver/nvidia/gpus"}, &ProcGpu::model);
        }
    };
    Known<std::string> kernel_version;
    Known<std::string> kernel_flavour;
    Known<std::vector<ProcGpu>> proc_gpus;
    Known<std::string> library_file;
    Known<std::string> library_version;
    Known<bool> smi_installed;
    Known<std::vector<std::string>> packages;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"kernel_version", "version in /proc/driver/nvidia/version"},
              &NvidiaFacts::kernel_version);
        visit(Field{"kernel_flavour", "open or proprietary kernel module"}, &NvidiaFacts::kernel_flavour);
        visit(Field{"proc_gpus", "GPUs that the kernel module serves"}, &NvidiaFacts::proc_gpus);
        visit(Field{"library_file", "libcuda.so.1 that the loader finds, resolved"},
              &NvidiaFacts::library_file);
        visit(Field{"library_version", "version in the name of that file"}, &NvidiaFacts::library_version);
        visit(Field{"smi_installed", "a program nvidia-smi is on the usual paths"},
              &NvidiaFacts::smi_installed);
        visit(Field{"packages", "installed driver packages, name=version"}, &NvidiaFacts::packages);
    }
};

/// AMD GPUs as the kernel's KFD topology lists them.
struct AmdFacts {
    struct Node {
        Known<std::string> gfx;
        Known<std::string> name;
        Known<std::int64_t> memory_bytes;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"gfx", "gfx target: gfx90a, gfx1100"}, &Node::gfx);
            visit(Field{"name", "name of the KFD node"}, &Node::name);
            visit(Field{"memory_bytes", "local memory, bytes"}, &Node::memory_bytes);
        }
    };
    Known<std::vector<Node>> kfd_nodes;
    Known<std::string> module_version;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"kfd_nodes", "GPUs in /sys/class/kfd"}, &AmdFacts::kfd_nodes);
        visit(Field{"module_version", "version of an amdgpu-dkms module"}, &AmdFacts::module_version);
    }
};

}  // namespace whygpu
