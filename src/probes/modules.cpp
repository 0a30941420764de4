#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/platform.h"

// Where modules come from: DKMS puts them in updates/dkms, Fedora's akmods and RHEL's kmods in extra,
// SUSE in updates, Ubuntu's signed ones in kernel/nvidia-550 and its like. modules.dep, which depmod
// writes and modprobe reads, names them all. Debian calls the module nvidia-current.ko (or
// nvidia-tesla-535.ko) and lets an alias do the rest.

namespace whygpu::probes::modules {

namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kernels_limit = 64;
constexpr std::size_t folders_limit = 64;
constexpr std::size_t paths_limit = 200;

// "updates/dkms/nvidia-uvm.ko.zst" → "nvidia_uvm"; "" for what is no module.
std::string module_name(std::string_view path) {
    std::string_view file = path.substr(path.rfind('/') + 1);
    for (const std::string_view packed : {".xz", ".zst", ".gz"}) {
        if (file.ends_with(packed)) {
            file.remove_suffix(packed.size());
        }
    }
    if (!file.ends_with(".ko")) {
        return "";
    }
    std::string name(file.substr(0, file.size() - 3));
    std::ranges::replace(name, '-', '_');
    return name;
}

// The kernel's own nvidiafb and nvidia-wmi-ec-backlight have nothing to do with CUDA.
bool is_nvidia_driver(std::string_view path) {
    const std::string name = module_name(path);
    return name == "nvidia" || (name.starts_with("nvidia_") && !name.starts_with("nvidia_wmi"));
}

// The module that drives the GPU, not one of those that build on it.
bool is_nvidia_core(std::string_view path) {
    const std::string name = module_name(path);
    const std::array helpers = {"_uvm", "_modeset", "_drm", "_peermem", "_fs", "_vfio"};
    return is_nvidia_driver(path) &&
           std::ranges::none_of(helpers, [&](const char* end) { return name.ends_with(end); });
}

// ---- what is loaded ----

Known<Names> loaded(Host& host) {
    const Known<std::string> content = read_file(host, "/proc/modules");
    if (!content) {
        return Known<Names>::missing_like(content);
    }
    Names names;
    for (const std::string_view line : lines_of(*content)) {
        const std::vector<std::string_view> words = words_of(line);
        if (!words.empty()) {
            names.emplace_back(words.front());
        }
    }
    return Known<Names>(names, content.source());
}

// ---- what could be loaded ----

// The folder that holds a folder of modules for each kernel.
struct Kernels {
    std::string root;
    Known<Names> releases;
};

// NixOS keeps its modules elsewhere. A container sees the host's kernel but seldom its modules.
Kernels installed_kernels(Host& host) {
    const std::string usual = "/lib/modules";
    Known<Names> releases = list_directory(host, usual);
    if (releases || releases.why() != Missing::absent) {
        return Kernels{usual, releases};
    }
    const std::string nixos = "/run/booted-system/kernel-modules/lib/modules";
    Known<Names> others = list_directory(host, nixos);
    return others ? Kernels{nixos, others} : Kernels{usual, releases};
}

// The paths of modules.dep ("path: paths that it needs") that `wanted` takes.
template <class Wanted>
Known<Names> listed_modules(Host& host, const std::string& folder, Wanted wanted) {
    const Known<std::string> content = read_file(host, folder + "/modules.dep");
    if (!content) {
        return Known<Names>::missing_like(content);
    }
    Names paths;
    for (const std::string_view line : lines_of(*content)) {
        const std::string_view path = line.substr(0, line.find(':'));
        if (wanted(path) && paths.size() < paths_limit) {
            paths.push_back(path.starts_with('/') ? std::string(path) : folder + "/" + std::string(path));
        }
    }
    return Known<Names>(paths, content.source());
}

// Without modules.dep: the folders in which packages put the driver, one level down as well.
Names searched_modules(Host& host, const std::string& folder) {
    Names folders = {folder + "/updates", folder + "/updates/dkms", folder + "/extra",
                     folder + "/kernel/drivers/video"};
    const Known<Names> kernel = list_directory(host, folder + "/kernel");
    for (const std::string& name : kernel ? *kernel : Names()) {
        if (name.starts_with("nvidia-")) {
            folders.push_back(folder + "/kernel/" + name);
        }
    }
    Names paths;
    for (std::size_t index = 0; index < std::min(folders.size(), folders_limit); ++index) {
        const std::string here = folders[index];
        const Known<Names> names = list_directory(host, here);
        for (const std::string& name : names ? *names : Names()) {
            if (is_nvidia_driver(name) && paths.size() < paths_limit) {
                paths.push_back(here + "/" + name);
            } else if (name.starts_with("nvidia") && !contains(name, ".")) {
                folders.push_back(here + "/" + name);
            }
        }
    }
    return paths;
}

Known<Names> available(Host& host, const Kernels& kernels, const Known<std::string>& release) {
    if (!release) {
        return Known<Names>::missing_like(release);
    }
    if (!kernels.releases) {
        const bool absent = kernels.releases.why() == Missing::absent;
        return absent ? Known<Names>::missing(Missing::absent, "no /lib/modules here", {kernels.root, 0, ""})
                      : Known<Names>::missing_like(kernels.releases);
    }
    if (kernels.releases->empty()) {
        return Known<Names>::missing(Missing::absent, "no kernel's modules here", {kernels.root, 0, ""});
    }
    const std::string folder = kernels.root + "/" + *release;
    // Arch removes the running kernel's modules when it installs the next one: then there are none.
    if (std::ranges::find(*kernels.releases, *release) == kernels.releases->end()) {
        return Known<Names>(Names(), Source{folder, 0, "not there"});
    }
    const Known<Names> listed = listed_modules(host, folder, is_nvidia_driver);
    if (listed || listed.why() != Missing::absent) {
        return listed;
    }
    return Known<Names>(searched_modules(host, folder), Source{folder, 0, "searched, no modules.dep"});
}

Known<Names> other_kernels(Host& host, const Kernels& kernels, const Known<std::string>& release) {
    if (!release) {
        return Known<Names>::missing_like(release);
    }
    if (!kernels.releases) {
        return Known<Names>::missing_like(kernels.releases);
    }
    Names found;
    for (std::size_t index = 0; index < std::min(kernels.releases->size(), kernels_limit); ++index) {
        const std::string& other = (*kernels.releases)[index];
        const Known<Names> listed = other == *release
                                        ? Known<Names>()
                                        : listed_modules(host, kernels.root + "/" + other, is_nvidia_core);
        if (listed && !listed->empty()) {
            found.push_back(other);
        }
    }
    return Known<Names>(found, kernels.releases.source());
}

// ---- DKMS ----

// Which registrations are drivers: nvidia, nvidia-open, nvidia-srv, Debian's nvidia-current; not the
// add-ons for storage and network cards.
bool is_driver_registration(std::string_view name) {
    return name == "nvidia" || (name.starts_with("nvidia-") && !name.starts_with("nvidia-fs") &&
                                !name.starts_with("nvidia-peer"));
}

// DKMS registers a driver by a folder for each version; "kernel-6.8.0-x86_64" links beside them
// point to what was built.
Known<Names> dkms_versions(Host& host) {
    const std::string root = "/var/lib/dkms";
    const Known<Names> registered = list_directory(host, root);
    if (!registered) {
        return registered.why() == Missing::absent ? Known<Names>(Names(), Source{root, 0, "not there"})
                                                   : registered;
    }
    std::set<std::string> versions;
    for (const std::string& name : *registered) {
        const Known<Names> entries =
            is_driver_registration(name) ? list_directory(host, root + "/" + name) : Known<Names>(Names());
        if (!entries) {
            return entries;
        }
        for (const std::string& entry : *entries) {
            if (!entry.empty() && entry[0] >= '0' && entry[0] <= '9') {
                versions.insert(entry);
            }
        }
    }
    return Known<Names>(Names(versions.begin(), versions.end()), registered.source());
}

// ---- amdgpu ----

// A driver with parameters has a folder in /sys/module as soon as it is there, built in or loaded.
Known<bool> amdgpu_there(Host& host, const Kernels& kernels, const Known<std::string>& release) {
    const Known<bool> active = exists(host, "/sys/module/amdgpu");
    if (active.is(true) || !release) {
        return active;
    }
    const std::string path = kernels.root + "/" + *release + "/modules.builtin";
    const Known<std::string> built_in = read_file(host, path);
    int number = 0;
    for (const std::string_view line : built_in ? lines_of(*built_in) : std::vector<std::string_view>()) {
        ++number;
        if (module_name(line) == "amdgpu") {
            return Known<bool>(true, Source{path, number, std::string(line)});
        }
    }
    return active;
}

// ---- graphics profiles ----

// prime-select, system76-power, supergfxctl, EnvyControl and Bumblebee write such files to save the
// battery: they keep the module from loading or take the card off the bus.
bool is_profile_file(std::string_view name) {
    constexpr std::array<std::string_view, 6> parts = {"nvidia",    "system76", "supergfx",
                                                       "bumblebee", "prime",    "envycontrol"};
    return std::ranges::any_of(parts, [&](std::string_view part) { return contains(name, part); });
}

bool blocks_nvidia(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() < 2 || words[0].starts_with('#')) {
        return false;
    }
    const bool blacklisted = words[0] == "blacklist" && words[1] == "nvidia";
    const bool never = words[0] == "install" && words[1] == "nvidia" && contains(line, "/bin/false");
    // The rules that take only the sound, USB and USB-C functions of the card away are harmless.
    const bool removed =
        contains(line, "0x10de") && contains(line, "ATTR{remove}=\"1\"") && contains(line, "\"0x03");
    return blacklisted || never || removed;
}

Known<Names> blocked_by(Host& host) {
    Names found;
    Source source{"/etc/modprobe.d", 0, ""};
    Known<Names> unread;
    bool some_read = false;
    for (const char* folder : {"/etc/modprobe.d", "/lib/modprobe.d", "/run/modprobe.d", "/etc/udev/rules.d",
                               "/lib/udev/rules.d"}) {
        const Known<Names> names = list_directory(host, folder);
        some_read = some_read || names.known();
        unread = names ? unread : names;
        for (const std::string& name : names ? *names : Names()) {
            const std::string path = std::string(folder) + "/" + name;
            const Known<std::string> content =
                is_profile_file(name) ? read_file(host, path) : Known<std::string>();
            // A name of its own: the lines are views into it.
            const std::string text = content ? *content : "";
            for (const std::string_view line : lines_of(text)) {
                if (blocks_nvidia(line) && found.size() < paths_limit) {
                    found.push_back(path + ": " + std::string(trimmed(line)));
                    source = Source{path, 0, std::string(trimmed(line))};
                }
            }
        }
    }
    return some_read ? Known<Names>(found, source) : Known<Names>::missing_like(unread);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    ModuleFacts& modules = facts.modules;
    const Known<std::string> release = platform_value(host, "release");
    const Kernels kernels = installed_kernels(host);
    modules.loaded = loaded(host);
    modules.nvidia_version = read_value(host, "/sys/module/nvidia/version");
    modules.nvidia_available = available(host, kernels, release);
    modules.nvidia_other_kernels = other_kernels(host, kernels, release);
    modules.dkms_nvidia = dkms_versions(host);
    modules.amdgpu_built_in = amdgpu_there(host, kernels, release);
    modules.nvidia_blocked_by = blocked_by(host);
    modules.prime_profile = read_value(host, "/etc/prime-discrete");
}

}  // namespace whygpu::probes::modules
