#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/host.h"

// Where a Python is and where its packages lie, told from files alone.

namespace whygpu {

/// The program that `python3` means: that of an activated environment (VIRTUAL_ENV, CONDA_PREFIX), else
/// the first on PATH, through pyenv's shims. Absent when there is none.
Known<std::string> find_python(Host& host, const std::map<std::string, std::string>& variables);

/// What belongs to an interpreter.
struct PythonInstallation {
    std::string prefix;          ///< sys.prefix
    std::string base;            ///< sys.base_prefix, the same outside of a virtual environment
    bool is_virtual = false;     ///< a virtual environment
    bool sees_base = true;       ///< packages of the base and of the user count
    std::string folder;          ///< "python3.11", the name below lib/
    Known<std::string> version;  ///< "3.11"
};

/// The installation of an interpreter, given as find_python gives it.
Known<PythonInstallation> find_python_installation(Host& host, const std::string& interpreter);

/// sys.path, as far as packages lie there: environment, user, system; whether or not they exist.
std::vector<std::string> python_package_directories(const PythonInstallation& place,
                                                    const std::map<std::string, std::string>& variables);

/// True when those are all; else why a package that is in none of them may be installed all the same.
Known<bool> all_package_directories_known(const PythonInstallation& place,
                                          const std::map<std::string, std::string>& variables);

}  // namespace whygpu
