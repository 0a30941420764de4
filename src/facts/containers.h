#pragma once

#include <cstdint>

#include "facts/field.h"

namespace whygpu {

/// How this machine starts containers: its engines and what they know of NVIDIA GPUs.
struct ContainerHostFacts {
    struct CdiSpec {
        Known<std::string> path;
        Known<std::string> driver_version;
        Known<std::vector<std::string>> missing_files;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"path", "file of an nvidia.com specification"}, &CdiSpec::path);
            visit(Field{"driver_version", "driver version in the name of its libcuda"},
                  &CdiSpec::driver_version);
            visit(Field{"missing_files", "driver libraries and device nodes that it names and that are gone"},
                  &CdiSpec::missing_files);
        }
    };
    Known<std::vector<std::string>> engines;
    Known<std::string> docker_version;
    Known<std::vector<std::string>> docker_runtimes;
    Known<std::string> docker_default_runtime;
    Known<std::string> docker_nvidia_program;
    Known<bool> docker_nvidia_program_exists;
    Known<bool> docker_cdi;
    Known<std::vector<std::string>> docker_cdi_dirs;
    Known<std::vector<std::string>> toolkit_programs;
    Known<bool> no_cgroups;
    Known<std::string> ldconfig;
    Known<bool> ldconfig_exists;
    Known<std::vector<CdiSpec>> cdi_specs;
    Known<bool> kubernetes_node;
    Known<std::string> containerd_default_runtime;
    Known<std::vector<std::string>> containerd_runtimes;

    template <class Visitor>
    static void describe(Visitor& visit) {
        using F = ContainerHostFacts;
        visit(Field{"engines", "installed: docker, docker-snap, docker-desktop, podman, containerd"},
              &F::engines);
        visit(Field{"docker_version", "version of the docker program"}, &F::docker_version);
        visit(Field{"docker_runtimes", "runtimes in /etc/docker/daemon.json"}, &F::docker_runtimes);
        visit(Field{"docker_default_runtime", "default-runtime there"}, &F::docker_default_runtime);
        visit(Field{"docker_nvidia_program", "program of the runtime nvidia there"},
              &F::docker_nvidia_program);
        visit(Field{"docker_nvidia_program_exists", "whether it can be found"},
              &F::docker_nvidia_program_exists);
        visit(Field{"docker_cdi", "features.cdi there"}, &F::docker_cdi);
        visit(Field{"docker_cdi_dirs", "cdi-spec-dirs there"}, &F::docker_cdi_dirs);
        visit(Field{"toolkit_programs", "programs of the NVIDIA Container Toolkit"}, &F::toolkit_programs);
        visit(Field{"no_cgroups", "no-cgroups in /etc/nvidia-container-runtime/config.toml"}, &F::no_cgroups);
        visit(Field{"ldconfig", "ldconfig of this machine named there"}, &F::ldconfig);
        visit(Field{"ldconfig_exists", "whether it exists"}, &F::ldconfig_exists);
        visit(Field{"cdi_specs", "NVIDIA specifications in /etc/cdi and /var/run/cdi"}, &F::cdi_specs);
        visit(Field{"kubernetes_node", "a kubelet is set up here"}, &F::kubernetes_node);
        visit(Field{"containerd_default_runtime", "default_runtime_name of containerd's CRI plug-in"},
              &F::containerd_default_runtime);
        visit(Field{"containerd_runtimes", "runtimes of containerd's CRI plug-in"}, &F::containerd_runtimes);
    }
};

/// Copies of driver and CUDA libraries where the dynamic loader may find them.
struct LoaderFacts {
    struct Library {
        Known<std::string> path;
        Known<std::string> version;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"path", "the file", true}, &Library::path);
            visit(Field{"version", "version in its name"}, &Library::version);
        }
    };
    Known<std::vector<Library>> libcuda;
    Known<std::vector<Library>> on_library_path;
    Known<std::vector<Library>> cudnn;
    Known<bool> libcuda_link_name;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"libcuda", "files libcuda.so.VERSION of drivers in the system's library folders"},
              &LoaderFacts::libcuda);
        visit(Field{"on_library_path", "cuDNN, cuBLAS, CUDA runtime and NCCL in LD_LIBRARY_PATH"},
              &LoaderFacts::on_library_path);
        visit(Field{"cudnn", "cuDNN in LD_LIBRARY_PATH, the environment's lib and the loader's cache"},
              &LoaderFacts::cudnn);
        visit(Field{"libcuda_link_name", "libcuda.so, the name for linking, lies beside libcuda.so.1"},
              &LoaderFacts::libcuda_link_name);
    }
};

}  // namespace whygpu
