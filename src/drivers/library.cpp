#include "drivers/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"

// The loader passes over a file of another processor without a word and then says "No such file or
// directory", exactly as for a file that is not there (glibc, elf/dl-load.c, open_verify). Which of the
// two it was matters to the user, so after such a message the directories that the loader searched are
// looked through for a file of that name whose ELF header names another machine.

namespace whygpu {

namespace {

// The first 20 bytes of an ELF file say what runs it: class (32 or 64 bit) and byte order in e_ident,
// then e_type and e_machine.
using ElfStart = std::array<unsigned char, 20>;

std::optional<ElfStart> elf_start(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return std::nullopt;
    }
    ElfStart start{};
    const ssize_t got = read(fd, start.data(), start.size());
    close(fd);
    const bool elf = got == static_cast<ssize_t>(start.size()) && start[0] == 0x7f && start[1] == 'E' &&
                     start[2] == 'L' && start[3] == 'F';
    return elf ? std::optional<ElfStart>(start) : std::nullopt;
}

bool same_machine(const ElfStart& one, const ElfStart& other) {
    return one[EI_CLASS] == other[EI_CLASS] && one[EI_DATA] == other[EI_DATA] && one[18] == other[18] &&
           one[19] == other[19];
}

// Where the loader looks for a library of this program: LD_LIBRARY_PATH and the system directories.
std::vector<std::string> searched_directories() {
    std::vector<std::string> directories;
    void* program = dlopen(nullptr, RTLD_NOW);
    Dl_serinfo head{};
    if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &head) != 0) {
        return directories;
    }
    // The loader fills a structure that ends in an array and keeps its strings behind that.
    std::vector<std::max_align_t> buffer(head.dls_size / sizeof(std::max_align_t) + 1);
    Dl_serinfo* info = reinterpret_cast<Dl_serinfo*>(buffer.data());
    if (dlinfo(program, RTLD_DI_SERINFOSIZE, info) != 0 || dlinfo(program, RTLD_DI_SERINFO, info) != 0) {
        return directories;
    }
    // Not through the array's own name: it is declared with one element.
    const std::size_t first = offsetof(Dl_serinfo, dls_serpath);
    for (unsigned int i = 0; i < info->dls_cnt; ++i) {
        const std::size_t at = first + i * sizeof(Dl_serpath);
        const Dl_serpath* path =
            reinterpret_cast<const Dl_serpath*>(reinterpret_cast<const char*>(buffer.data()) + at);
        directories.emplace_back(path->dls_name);
    }
    return directories;
}

std::vector<std::string> candidate_files(const std::string& name) {
    if (contains(name, "/")) {
        return {name};
    }
    std::vector<std::string> files = searched_directories();
    for (std::string& file : files) {
        file += "/" + name;
    }
    return files;
}

// The first file of that name made for another machine; empty when there is none.
std::string foreign_file(const std::string& name) {
    const std::optional<ElfStart> own = elf_start("/proc/self/exe");
    for (const std::string& file : candidate_files(name)) {
        const std::optional<ElfStart> found = elf_start(file);
        if (own && found && !same_machine(*own, *found)) {
            return file;
        }
    }
    return "";
}

std::string resolved(const char* path) {
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path, nullptr), &std::free);
    return real != nullptr ? real.get() : path;
}

std::string file_of(void* handle, const char* name) {
    link_map* map = nullptr;
    const bool found = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr;
    return resolved(found && map->l_name != nullptr ? map->l_name : name);
}

// The loader names the file that it could not open; it is absent only when that is the library itself
// and not one that it needs.
bool says_absent(std::string_view error, std::string_view name) {
    return after_prefix(error, std::string(name) + ": ") && contains(error, "No such file or directory");
}

}  // namespace

LoadedLibrary load_library(const char* name) {
    LoadedLibrary library;
    dlerror();
    library.handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.handle != nullptr) {
        library.file = file_of(library.handle, name);
        return library;
    }
    const char* error = dlerror();
    library.error = error != nullptr ? error : "the loader gave no reason";
    library.reason = "other";
    if (contains(library.error, "wrong ELF class")) {
        library.reason = "wrong-architecture";
    } else if (contains(library.error, "Permission denied")) {
        library.reason = "denied";
    } else if (says_absent(library.error, name)) {
        library.file = foreign_file(name);
        library.reason = library.file.empty() ? "absent" : "wrong-architecture";
    }
    return library;
}

void* find_symbol(void* library, const char* symbol) {
    return dlsym(library, symbol);
}

}  // namespace whygpu
