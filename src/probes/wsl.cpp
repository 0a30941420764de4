#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/platform.h"

// In WSL the Windows driver does the work: Linux sees /dev/dxg and, in /usr/lib/wsl/lib, the
// libraries that Windows mounts there. A Linux driver installed inside WSL puts a second libcuda
// before them, which then talks to a kernel module that does not exist.

namespace whygpu::probes::wsl {

namespace {

using Names = std::vector<std::string>;

constexpr const char* windows_libraries = "/usr/lib/wsl/lib";

// "Linux version 5.15.153.1-microsoft-standard-WSL2 (root@…) …": only the third word is the kernel's
// own; the rest names the people and compilers that built it.
Known<std::string> kernel_release(Host& host) {
    const Known<std::string> release = platform_value(host, "release");
    if (release) {
        return release;
    }
    const Known<std::string> line = read_value(host, "/proc/version");
    const std::vector<std::string_view> words = line ? words_of(*line) : std::vector<std::string_view>();
    return words.size() < 3 ? release : Known<std::string>(std::string(words[2]), line.source());
}

Known<bool> inside(Host& host) {
    const Known<std::string> release = kernel_release(host);
    if (release && is_wsl_release(*release)) {
        return Known<bool>(true, release.source());
    }
    // People build WSL kernels under names of their own.
    const Known<bool> folder = exists(host, "/run/WSL");
    if (folder.is(true)) {
        return folder;
    }
    const Known<std::map<std::string, std::string>> environment = variables(host);
    const std::string name = "WSL_DISTRO_NAME";
    if (environment && environment->contains(name)) {
        return Known<bool>(true, Source{"environment", 0, name + "=" + environment->at(name)});
    }
    return release ? Known<bool>(false, release.source()) : Known<bool>::missing_like(release);
}

// libd3d12 and libdxcore come with WSL itself, whatever the card: they say nothing.
Known<Names> driver_libraries(Host& host) {
    const Known<Names> names = list_directory(host, windows_libraries);
    if (!names) {
        return names.why() == Missing::absent
                   ? Known<Names>(Names(), Source{windows_libraries, 0, "not there"})
                   : names;
    }
    Names libraries;
    for (const std::string& name : *names) {
        if (name.starts_with("libcuda") || name.starts_with("libnvidia-ml")) {
            libraries.push_back(name);
        }
    }
    return Known<Names>(libraries, Source{windows_libraries, 0, join(libraries, " ")});
}

// "libcuda.so.535.54.03", the file that a Linux driver brings; libcuda.so.1 and, on the Windows side,
// libcuda.so.1.1 are names that every driver has.
bool names_driver_version(std::string_view file) {
    const std::optional<std::string_view> rest = after_prefix(file, "libcuda.so.");
    const std::optional<Version> version = rest ? Version::parse(*rest) : std::nullopt;
    return version && version->major() >= 100;
}

Known<Names> linux_driver_files(Host& host) {
    const std::array folders = {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64",
                                "/usr/lib/aarch64-linux-gnu"};
    Names files;
    std::set<std::string> seen;
    bool any_read = false;
    Known<Names> unread;
    for (const std::string folder : folders) {
        const Known<Names> names = list_directory(host, folder);
        any_read = any_read || names || names.why() == Missing::absent;
        unread = names ? unread : names;
        for (const std::string& name : names ? *names : Names()) {
            // Links are the tool kit's or WSL's own way to point to the Windows driver. Where /lib is a
            // link to /usr/lib the same file shows up twice.
            if (names_driver_version(name) && !link_target(host, folder + "/" + name) &&
                seen.insert(name).second) {
                files.push_back(folder + "/" + name);
            }
        }
    }
    return any_read ? Known<Names>(files, Source{"library folders", 0, join(files, " ")}) : unread;
}

template <class T>
Known<T> not_here(const Known<bool>& is_wsl) {
    return is_wsl ? Known<T>::missing(Missing::absent, "not WSL", is_wsl.source())
                  : Known<T>::missing_like(is_wsl);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    WslFacts& wsl = facts.wsl;
    wsl.inside = inside(host);
    if (!wsl.inside.is(true)) {
        wsl.dxg_node = not_here<bool>(wsl.inside);
        wsl.driver_libraries = not_here<Names>(wsl.inside);
        wsl.linux_driver_files = not_here<Names>(wsl.inside);
        return;
    }
    wsl.dxg_node = exists(host, "/dev/dxg");
    wsl.driver_libraries = driver_libraries(host);
    wsl.linux_driver_files = linux_driver_files(host);
}

}  // namespace whygpu::probes::wsl
