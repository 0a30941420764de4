#pragma once

#include <cstdint>

#include "facts/field.h"

namespace whygpu {

/// CUDA and ROCm installations outside Python.
struct ToolkitFacts {
    struct Install {
        Known<std::string> path;
        Known<std::string> version;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"path", "installation directory, resolved"}, &Install::path);
            visit(Field{"version", "its version"}, &Install::version);
        }
    };
    Known<std::vector<Install>> cuda;
    Known<std::vector<Install>> rocm;
    Known<std::string> nvcc;
    Known<std::vector<std::string>> cuda_library_dirs;
    Known<std::vector<std::string>> searched_dirs;
    Known<std::vector<std::string>> cached_cuda_libraries;
    Known<std::string> nvcc_version;
    Known<std::string> gcc_version;
    Known<bool> rocm_on_path;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"cuda", "CUDA toolkits: /usr/local/cuda*, /opt/cuda, /usr/lib/cuda"},
              &ToolkitFacts::cuda);
        visit(Field{"rocm", "ROCm installations: /opt/rocm*"}, &ToolkitFacts::rocm);
        visit(Field{"nvcc", "nvcc that PATH or a toolkit offers"}, &ToolkitFacts::nvcc);
        visit(Field{"cuda_library_dirs", "directories of those toolkits that hold libcudart"},
              &ToolkitFacts::cuda_library_dirs);
        visit(Field{"searched_dirs", "directories named by LD_LIBRARY_PATH and ld.so.conf"},
              &ToolkitFacts::searched_dirs);
        visit(Field{"cached_cuda_libraries", "libcudart files in the loader's cache"},
              &ToolkitFacts::cached_cuda_libraries);
        visit(Field{"nvcc_version", "version of the toolkit that this nvcc belongs to"},
              &ToolkitFacts::nvcc_version);
        visit(Field{"gcc_version", "major version of /usr/bin/gcc"}, &ToolkitFacts::gcc_version);
        visit(Field{"rocm_on_path", "rocminfo is in a directory of PATH"}, &ToolkitFacts::rocm_on_path);
    }
};

/// The default Python and its deep-learning packages, read from metadata; no Python is started.
struct PythonFacts {
    struct Package {
        Known<std::string> name;
        Known<std::string> version;
        Known<std::string> location;
        Known<std::vector<std::string>> requirements;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "normalised distribution name"}, &Package::name);
            visit(Field{"version", "its version with local part"}, &Package::version);
            visit(Field{"location", "site-packages directory", true}, &Package::location);
            visit(Field{"requirements", "Requires-Dist lines about listed packages"}, &Package::requirements);
        }
    };
    struct CondaPackage {
        Known<std::string> name;
        Known<std::string> version;
        Known<std::string> build;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"name", "name of the conda package"}, &CondaPackage::name);
            visit(Field{"version", "its version"}, &CondaPackage::version);
            visit(Field{"build", "its build string, py3.11_cuda12.4_cudnn9.1.0_0"}, &CondaPackage::build);
        }
    };
    struct OtherPython {
        Known<std::string> interpreter;
        Known<std::vector<std::string>> frameworks;
        template <class Visitor>
        static void describe(Visitor& visit) {
            visit(Field{"interpreter", "path of the interpreter", true}, &OtherPython::interpreter);
            visit(Field{"frameworks", "frameworks in it, torch 2.4.1"}, &OtherPython::frameworks);
        }
    };
    Known<std::string> interpreter;
    Known<std::string> version;
    Known<bool> externally_managed;
    Known<std::vector<Package>> packages;
    Known<std::string> torch_version;
    Known<std::string> torch_cuda;
    Known<std::string> torch_hip;
    Known<std::string> tensorflow_version;
    Known<bool> tensorflow_cuda;
    Known<std::string> jax_version;
    Known<bool> jax_cuda;
    Known<bool> packages_complete;
    Known<std::vector<CondaPackage>> conda_packages;
    Known<std::vector<OtherPython>> other_pythons;

    template <class Visitor>
    static void describe(Visitor& visit) {
        visit(Field{"interpreter", "python3 or python of VIRTUAL_ENV, CONDA_PREFIX or PATH", true},
              &PythonFacts::interpreter);
        visit(Field{"version", "its version, 3.11"}, &PythonFacts::version);
        visit(Field{"externally_managed", "its pip refuses to install (PEP 668)"},
              &PythonFacts::externally_managed);
        visit(Field{"packages", "deep-learning packages found in its site-packages"}, &PythonFacts::packages);
        visit(Field{"torch_version", "__version__ of torch/version.py"}, &PythonFacts::torch_version);
        visit(Field{"torch_cuda", "cuda of torch/version.py, 12.4; 'none' for a build without CUDA"},
              &PythonFacts::torch_cuda);
        visit(Field{"torch_hip", "hip of torch/version.py; 'none' for a build without ROCm"},
              &PythonFacts::torch_hip);
        visit(Field{"tensorflow_version", "version of tensorflow"}, &PythonFacts::tensorflow_version);
        visit(Field{"tensorflow_cuda", "tensorflow was built with CUDA"}, &PythonFacts::tensorflow_cuda);
        visit(Field{"jax_version", "version of jax"}, &PythonFacts::jax_version);
        visit(Field{"jax_cuda", "a CUDA plug-in or CUDA jaxlib is installed"}, &PythonFacts::jax_cuda);
        visit(Field{"packages_complete", "every directory that this Python imports from was seen"},
              &PythonFacts::packages_complete);
        visit(Field{"conda_packages", "packages of the conda environment: frameworks and CUDA"},
              &PythonFacts::conda_packages);
        visit(Field{"other_pythons", "other Pythons of this machine with a framework, when it has none"},
              &PythonFacts::other_pythons);
    }
};

}  // namespace whygpu
