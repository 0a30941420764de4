#pragma once

#include <cstdint>

#include "facts/field.h"

namespace whygpu {

/// The operating system and the user who asks.
struct OsFacts {
    Known<std::string> id;            ///< ID of os-release
    Known<std::string> like;          ///< ID_LIKE of os-release
    Known<std::string> version;       ///< VERSION_ID
    Known<std::string> name;          ///< PRETTY_NAME
    Known<std::string> architecture;  ///< x86_64, aarch64
    Known<std::string> hypervisor;
    Known<bool> jetson;
    Known<std::int64_t> user_id;
    Known<std::vector<std::string>> groups;
    Known<std::string> shm_mode;
    Known<bool> shm_writable;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"id", "distribution, ID of /etc/os-release"}, &OsFacts::id);
        visit(Field{"like", "related distributions, ID_LIKE of /etc/os-release"}, &OsFacts::like);
        visit(Field{"version", "VERSION_ID of /etc/os-release"}, &OsFacts::version);
        visit(Field{"name", "distribution name to show"}, &OsFacts::name);
        visit(Field{"architecture", "machine of uname: x86_64, aarch64"}, &OsFacts::architecture);
        visit(Field{"hypervisor", "kvm, vmware, microsoft, xen, amazon, firecracker… or none"},
              &OsFacts::hypervisor);
        visit(Field{"jetson", "an NVIDIA Jetson (Tegra) board"}, &OsFacts::jetson);
        visit(Field{"user_id", "numeric user id, 0 is root"}, &OsFacts::user_id);
        visit(Field{"groups", "names (or numbers) of the groups of this user"}, &OsFacts::groups);
        visit(Field{"shm_mode", "permission bits of /dev/shm, octal: 1777"}, &OsFacts::shm_mode);
        visit(Field{"shm_writable", "this user may create files in /dev/shm"}, &OsFacts::shm_writable);
    }
};

/// The running kernel and what it allows to load.
struct KernelFacts {
    Known<std::string> release;
    Known<std::string> command_line;
    Known<bool> secure_boot;
    Known<std::string> lockdown;
    Known<bool> headers_installed;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"release", "uname -r"}, &KernelFacts::release);
        visit(Field{"command_line", "boot parameters", true}, &KernelFacts::command_line);
        visit(Field{"secure_boot", "EFI Secure Boot is on"}, &KernelFacts::secure_boot);
        visit(Field{"lockdown", "none, integrity or confidentiality"}, &KernelFacts::lockdown);
        visit(Field{"headers_installed", "headers to build modules for the running kernel"},
              &KernelFacts::headers_installed);
    }
};

/// Kernel modules that matter to GPUs: what is loaded and what could be.
struct ModuleFacts {
    Known<std::vector<std::string>> loaded;
    Known<std::string> nvidia_version;
    Known<std::vector<std::string>> nvidia_available;
    Known<std::vector<std::string>> nvidia_other_kernels;
    Known<std::vector<std::string>> dkms_nvidia;
    Known<bool> amdgpu_built_in;
    Known<std::vector<std::string>> nvidia_blocked_by;
    Known<std::string> prime_profile;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"loaded", "names of all loaded kernel modules"}, &ModuleFacts::loaded);
        visit(Field{"nvidia_version", "version of the loaded nvidia module"}, &ModuleFacts::nvidia_version);
        visit(Field{"nvidia_available", "files nvidia*.ko built for the running kernel"},
              &ModuleFacts::nvidia_available);
        visit(Field{"nvidia_other_kernels", "other kernels here that have an nvidia module"},
              &ModuleFacts::nvidia_other_kernels);
        visit(Field{"dkms_nvidia", "NVIDIA driver versions registered with DKMS"}, &ModuleFacts::dkms_nvidia);
        visit(Field{"amdgpu_built_in", "amdgpu is part of the kernel image or loaded"},
              &ModuleFacts::amdgpu_built_in);
        visit(Field{"nvidia_blocked_by",
                    "lines of graphics profiles that keep the NVIDIA module or card off, file: line"},
              &ModuleFacts::nvidia_blocked_by);
        visit(Field{"prime_profile", "Ubuntu's /etc/prime-discrete: on, off, on-demand"},
              &ModuleFacts::prime_profile);
    }
};

/// Windows Subsystem for Linux.
struct WslFacts {
    Known<bool> inside;
    Known<bool> dxg_node;
    Known<std::vector<std::string>> driver_libraries;
    Known<std::vector<std::string>> linux_driver_files;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"inside", "this is WSL"}, &WslFacts::inside);
        visit(Field{"dxg_node", "/dev/dxg exists: the Windows driver serves this WSL 2"},
              &WslFacts::dxg_node);
        visit(Field{"driver_libraries", "CUDA and NVML libraries in /usr/lib/wsl/lib"},
              &WslFacts::driver_libraries);
        visit(Field{"linux_driver_files", "libcuda files of a Linux driver installed inside WSL"},
              &WslFacts::linux_driver_files);
    }
};

/// The container around this process, if any, and what of the GPU was passed into it.
struct ContainerFacts {
    Known<bool> inside;
    Known<std::string> engine;
    Known<std::string> visible_devices;
    Known<std::string> driver_capabilities;
    Known<std::vector<std::string>> gpu_mounts;
    Known<std::int64_t> shm_bytes;
    Known<std::string> selinux_label;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"inside", "this process runs in a container"}, &ContainerFacts::inside);
        visit(Field{"engine",
                    "docker, podman, kubernetes, containerd, lxc, apptainer, systemd-nspawn or unknown"},
              &ContainerFacts::engine);
        visit(Field{"visible_devices", "NVIDIA_VISIBLE_DEVICES"}, &ContainerFacts::visible_devices);
        visit(Field{"driver_capabilities", "NVIDIA_DRIVER_CAPABILITIES"},
              &ContainerFacts::driver_capabilities);
        visit(Field{"gpu_mounts", "mounted driver files: nvidia and libcuda paths in mountinfo"},
              &ContainerFacts::gpu_mounts);
        visit(Field{"shm_bytes", "size limit of the container's /dev/shm, bytes"},
              &ContainerFacts::shm_bytes);
        visit(Field{"selinux_label", "SELinux context of this process in a container"},
              &ContainerFacts::selinux_label);
    }
};

/// Environment variables that steer GPU software.
struct EnvironmentFacts {
    struct Variable {
        Known<std::string> name;
        Known<std::string> value;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "name of the variable"}, &Variable::name);
            visit(Field{"value", "its value"}, &Variable::value);
        }
    };
    Known<std::vector<Variable>> variables;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"variables",
                    "variables with a prefix of GPU software (CUDA_, NVIDIA_, TORCH…, HIP_, ROCR_…)"},
              &EnvironmentFacts::variables);
    }
};

/// What the kernel said about GPUs since it started.
struct KernelLogFacts {
    struct Message {
        Known<std::string> kind;
        Known<std::string> text;
        Known<std::int64_t> code;
        Known<std::string> pci_address;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"kind", "xid, sxid, nvrm, module-rejected, amdgpu, nouveau, pcie, pci-bar"},
                  &Message::kind);
            visit(Field{"text", "the line"}, &Message::text);
            visit(Field{"code", "Xid or SXid number"}, &Message::code);
            visit(Field{"pci_address", "0000:01:00.0"}, &Message::pci_address);
        }
    };
    Known<std::vector<Message>> messages;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"messages", "lines of the kernel log about GPUs, oldest first, at most 200"},
              &KernelLogFacts::messages);
    }
};

/// The processor.
struct CpuFacts {
    Known<std::string> model;
    Known<std::vector<std::string>> features;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"model", "model name of /proc/cpuinfo"}, &CpuFacts::model);
        visit(
            Field{"features", "instruction sets that builds ask for: sse4_1, avx, avx2, fma, f16c, avx512f"},
            &CpuFacts::features);
    }
};

/// Services of the driver packages.
struct ServiceFacts {
    Known<std::int64_t> nvswitch_count;
    Known<std::string> fabric_manager;
    Known<std::string> fabric_manager_version;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"nvswitch_count", "NVSwitch devices on the PCI bus"}, &ServiceFacts::nvswitch_count);
        visit(
            Field{"fabric_manager", "state of nvidia-fabricmanager: active, inactive, failed, not-installed"},
            &ServiceFacts::fabric_manager);
        visit(Field{"fabric_manager_version", "version of the installed nv-fabricmanager"},
              &ServiceFacts::fabric_manager_version);
    }
};

}  // namespace whygpu
