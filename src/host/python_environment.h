#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/python_places.h"

// What is installed in a Python, told from the names of folders and from the metadata beside them.

namespace whygpu {

/// A package directory that exists, with the names in it.
struct PythonSite {
    std::string directory;
    std::vector<std::string> names;
};

/// The package directories of a Python that exist, in the order of sys.path, and why one of them could
/// not be listed.
struct PythonSites {
    std::vector<PythonSite> listed;
    Known<bool> all_seen{true};
};
PythonSites list_python_sites(Host& host, const PythonInstallation& place,
                              const std::map<std::string, std::string>& variables);

/// PEP 503: lower case, runs of "-", "_" and "." as one "-".
std::string normalised_distribution(std::string_view name);

/// An installed distribution: "torch-2.4.1+cpu.dist-info" is torch 2.4.1+cpu.
struct PythonDistribution {
    std::string name;  ///< normalised
    std::string version;
    std::string directory;  ///< that holds it
    std::string entry;      ///< the name in it
};

/// The distribution that a name in a package directory stands for; empty for other names.
std::optional<PythonDistribution> distribution_of(std::string_view entry, const std::string& directory);

/// The values of its Requires-Dist lines, at most 200: "numpy<2.2,>=1.26". Absent when it has no
/// METADATA file.
Known<std::vector<std::string>> requirements_of(Host& host, const PythonDistribution& distribution);

/// A package that conda installed: "pytorch-2.5.1-py3.11_cuda12.4_cudnn9.1.0_0.json".
struct CondaPackage {
    std::string name;
    std::string version;
    std::string build;
    std::string file;  ///< below PREFIX/conda-meta
};

/// The packages of a conda environment; absent when the prefix is none.
Known<std::vector<CondaPackage>> conda_packages_in(Host& host, const std::string& prefix);

/// Interpreters at the usual places of this machine: the system's, conda's with its environments, pyenv's,
/// virtual environments in the home directory; at most 40. Links to one program may stand in it twice.
std::vector<std::string> usual_pythons(Host& host, const std::map<std::string, std::string>& variables);

}  // namespace whygpu
