#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/loader_cache.h"
#include "host/paths.h"

// The dynamic loader takes the first library of the wanted name: from the program's own RPATH, then
// LD_LIBRARY_PATH, RUNPATH, its cache, its trusted folders. So a folder in LD_LIBRARY_PATH decides for
// everything that was not linked with a path of its own, and what cuDNN and cuBLAS load at run time is
// often that. Versions are told from file names: a library's links are libcudnn.so.9, the file behind
// them libcudnn.so.9.8.0. Wheels carry libcudnn.so.9 alone, so their version is that of the package.

namespace whygpu::probes::loader {

namespace {

using Texts = std::vector<std::string>;
using Library = LoaderFacts::Library;
using Libraries = std::vector<Library>;
using Variables = Known<std::map<std::string, std::string>>;

constexpr std::size_t folders_limit = 30;
constexpr std::size_t libraries_limit = 100;

constexpr std::array system_folders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                       "/usr/lib64", "/usr/lib/x86_64-linux-gnu/nvidia/current"};

constexpr std::array watched = {"libcudnn.so.", "libcublas.so.", "libcublasLt.so.", "libcudart.so.",
                                "libnccl.so."};

Texts library_path(const Variables& environment) {
    const bool set = environment && environment->contains("LD_LIBRARY_PATH");
    Texts folders = directories_in(set ? environment->at("LD_LIBRARY_PATH") : "", ":;");
    folders.resize(std::min(folders.size(), folders_limit));
    return folders;
}

// "libcudnn.so.9" and the file behind it, "libcudnn.so.9.8.0": the longest version says most.
Library library_in(const std::string& folder, const std::string& name, std::size_t prefix) {
    Library library;
    const std::string path = folder + "/" + name;
    const std::string suffix = name.substr(prefix);
    library.path = Known<std::string>(path, Source{folder, 0, name});
    library.version = Version::parse(suffix)
                          ? Known<std::string>(suffix, Source{folder, 0, name})
                          : Known<std::string>::missing(Missing::malformed, "no version in the name",
                                                        Source{folder, 0, name});
    return library;
}

std::size_t parts_of(const Known<std::string>& version) {
    return version ? static_cast<std::size_t>(std::ranges::count(*version, '.')) + 1 : 0;
}

// One library for each watched name in a folder.
void add_libraries(const std::string& folder, const Texts& names, std::string_view only, Libraries& found) {
    for (const std::string_view prefix : watched) {
        Library best;
        for (const std::string& name : names) {
            if (name.starts_with(prefix) && (only.empty() || prefix == only)) {
                Library library = library_in(folder, name, prefix.size());
                if (!best.path || parts_of(library.version) > parts_of(best.version)) {
                    best = std::move(library);
                }
            }
        }
        if (best.path && found.size() < libraries_limit) {
            found.push_back(std::move(best));
        }
    }
}

// A folder of LD_LIBRARY_PATH that is not there is passed over by the loader too.
Known<Libraries> on_library_path(Host& host, const Variables& environment) {
    if (!environment) {
        return Known<Libraries>::missing_like(environment);
    }
    Libraries found;
    Known<bool> failed(true);
    for (const std::string& folder : library_path(environment)) {
        const Known<Texts> names = list_directory(host, folder);
        if (names) {
            add_libraries(folder, *names, "", found);
        } else if (names.why() != Missing::absent && names.why() != Missing::denied) {
            failed = Known<bool>::missing_like(names);
        }
    }
    return found.empty() && !failed ? Known<Libraries>::missing_like(failed)
                                    : Known<Libraries>(found, Source{"LD_LIBRARY_PATH", 0, ""});
}

// ---- cuDNN ----

Known<Libraries> cudnn(Host& host, const Variables& environment) {
    const Known<std::vector<CachedLibrary>> cache = loader_cache(host);
    if (!environment || !cache) {
        return environment ? Known<Libraries>::missing_like(cache)
                           : Known<Libraries>::missing_like(environment);
    }
    Texts folders = library_path(environment);
    const auto conda = environment->find("CONDA_PREFIX");
    if (conda != environment->end()) {
        folders.push_back(conda->second + "/lib");
    }
    for (const CachedLibrary& entry : *cache) {
        const std::string folder = parent_of(entry.path);
        const bool known = std::ranges::find(folders, folder) != folders.end();
        if (entry.name.starts_with("libcudnn.so.") && !known && folders.size() < libraries_limit) {
            folders.push_back(folder);
        }
    }
    Libraries found;
    for (const std::string& folder : folders) {
        const Known<Texts> names = list_directory(host, folder);
        add_libraries(folder, names ? *names : Texts(), "libcudnn.so.", found);
    }
    return {found, Source{"LD_LIBRARY_PATH, ldconfig -p", 0, ""}};
}

// ---- libcuda ----

// libcuda.so.570.86.10: the file that a driver brings. libcuda.so.1 and WSL's libcuda.so.1.1 are names
// that every driver has.
bool names_driver(const Library& library) {
    const std::optional<Version> version = library.version ? Version::parse(*library.version) : std::nullopt;
    return version && version->major() >= 100;
}

void fill_libcuda(Host& host, LoaderFacts& facts) {
    Libraries found;
    Known<bool> failed(true);
    bool run_name = false;
    bool link_name = false;
    Known<std::string> place = Known<std::string>::missing(
        Missing::absent, "no libcuda.so.1 in the system's folders", {"library folders", 0, ""});
    for (const std::string folder : system_folders) {
        const Known<Texts> names = list_directory(host, folder);
        failed = names || names.why() == Missing::absent ? failed : Known<bool>::missing_like(names);
        for (const std::string& name : names ? *names : Texts()) {
            link_name = link_name || name == "libcuda.so";
            if (name == "libcuda.so.1") {
                run_name = true;
                place = Known<std::string>(folder, Source{folder, 0, name});
            }
            if (!name.starts_with("libcuda.so.")) {
                continue;
            }
            Library library = library_in(folder, name, std::string_view("libcuda.so.").size());
            // Links to another driver's file are aliases (Debian's alternatives, WSL).
            if (names_driver(library) && found.size() < libraries_limit &&
                !link_target(host, folder + "/" + name)) {
                found.push_back(std::move(library));
            }
        }
    }
    facts.libcuda = found.empty() && !failed ? Known<Libraries>::missing_like(failed)
                                             : Known<Libraries>(found, Source{"library folders", 0, ""});
    facts.libcuda_link_name = run_name  ? Known<bool>(link_name, place.source())
                              : !failed ? Known<bool>::missing_like(failed)
                                        : Known<bool>::missing_like(place);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    const Variables environment = variables(host);
    facts.loader.on_library_path = on_library_path(host, environment);
    facts.loader.cudnn = cudnn(host, environment);
    fill_libcuda(host, facts.loader);
}

}  // namespace whygpu::probes::loader
