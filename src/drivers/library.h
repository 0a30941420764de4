#pragma once

#include <string>

namespace whygpu {

/// What came of loading a shared library.
struct LoadedLibrary {
    void* handle = nullptr;  ///< null when it could not be loaded; never closed
    std::string file;        ///< the file behind it, links resolved; when refused, the file that was refused
    std::string error;       ///< the loader's words when it was not loaded
    std::string reason;      ///< then also: absent, wrong-architecture, denied or other
};

/// Loads a library by soname ("libcuda.so.1", searched as for any program) or by path. A loaded library
/// stays for the life of the process: drivers start threads that must not lose their code.
LoadedLibrary load_library(const char* name);

/// The address of a symbol of a loaded library; null when it has none of that name.
void* find_symbol(void* library, const char* symbol);

}  // namespace whygpu
