#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/commands.h"
#include "host/loader_cache.h"
#include "host/paths.h"

namespace whygpu::probes::nvidia {

namespace {

using Texts = std::vector<std::string>;

constexpr const char* proc = "/proc/driver/nvidia";
constexpr const char* library_name = "libcuda.so.1";
constexpr std::size_t gpus_limit = 64;
constexpr std::size_t packages_limit = 500;

// ---- the kernel's side ----

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue Jun  6 …" and, from the open module,
// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build  (…)".
void read_kernel_side(Host& host, NvidiaFacts& nvidia) {
    const Known<std::string> line = read_value(host, std::string(proc) + "/version");
    nvidia.kernel_version = Known<std::string>::missing_like(line);
    nvidia.kernel_flavour = Known<std::string>::missing_like(line);
    if (!line) {
        return;
    }
    nvidia.kernel_version =
        Known<std::string>::missing(Missing::malformed, "no version in it", line.source());
    for (std::string_view word : words_of(*line)) {
        if (contains(word, ".") && Version::parse(word)) {
            nvidia.kernel_version = Known<std::string>(std::string(word), line.source());
            break;
        }
    }
    nvidia.kernel_flavour =
        contains(*line, "Kernel Module")
            ? Known<std::string>(contains(*line, "Open Kernel Module") ? "open" : "proprietary",
                                 line.source())
            : Known<std::string>::missing(Missing::malformed, "it names no kernel module", line.source());
}

Known<std::string> model_in(const Known<std::string>& content) {
    if (!content) {
        return Known<std::string>::missing_like(content);
    }
    int number = 0;
    for (std::string_view line : lines_of(*content)) {
        ++number;
        if (const std::optional<std::string_view> model = after_prefix(line, "Model:")) {
            return {std::string(trimmed(*model)), Source{content.source().origin, number, std::string(line)}};
        }
    }
    return Known<std::string>::missing(Missing::malformed, "no line 'Model:'", content.source());
}

Known<std::vector<NvidiaFacts::ProcGpu>> proc_gpus(Host& host) {
    using Gpus = std::vector<NvidiaFacts::ProcGpu>;
    const std::string folder = std::string(proc) + "/gpus";
    const Known<Texts> addresses = list_directory(host, folder);
    if (!addresses) {
        return Known<Gpus>::missing_like(addresses);
    }
    Gpus gpus;
    for (std::size_t i = 0; i < std::min(addresses->size(), gpus_limit); ++i) {
        const std::string& address = (*addresses)[i];
        const std::string file = folder + "/" + address + "/information";
        NvidiaFacts::ProcGpu gpu;
        gpu.address = Known<std::string>(address, Source{folder, 0, address});
        gpu.model = model_in(read_file(host, file));
        gpus.push_back(std::move(gpu));
    }
    return {std::move(gpus), Source{folder, 0, ""}};
}

// ---- the user's side ----

// Where the loader looks even without a cache, and where drivers lie that only a cache makes known.
const Texts& trusted_directories() {
    static const Texts directories = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
                                      "/usr/lib"};
    return directories;
}
const Texts& cached_directories() {
    static const Texts directories = {"/usr/lib/wsl/lib", "/usr/lib/x86_64-linux-gnu/nvidia/current"};
    return directories;
}

/// The loader's order: LD_LIBRARY_PATH, its cache, its trusted directories. When the cache cannot be
/// asked, the directories that it would name are looked through instead.
Known<std::string> library_path(Host& host, const Known<std::map<std::string, std::string>>& environment) {
    if (environment && environment->contains("LD_LIBRARY_PATH")) {
        const Texts directories = directories_in(environment->at("LD_LIBRARY_PATH"), ":;");
        Known<std::string> found = first_existing(host, inside_each(directories, library_name));
        if (found || found.why() != Missing::absent) {
            return found;
        }
    }
    const Known<std::vector<CachedLibrary>> cache = loader_cache(host);
    Texts directories = trusted_directories();
    if (!cache) {
        directories.insert(directories.end(), cached_directories().begin(), cached_directories().end());
    } else {
        for (const CachedLibrary& entry : *cache) {
            // A cache that was not renewed names files that are gone; the loader then looks on.
            if (entry.name == library_name && !exists(host, entry.path).is(false)) {
                return {entry.path, entry.source};
            }
        }
    }
    Known<std::string> found = first_existing(host, inside_each(directories, library_name));
    if (!found && found.why() == Missing::absent && !environment) {
        return Known<std::string>::missing_like(environment);
    }
    return found;
}

// libcuda.so.570.86.10; not libcuda.so.1.1, as WSL and Jetson have it.
Known<std::string> version_in_name(const Known<std::string>& file) {
    if (!file) {
        return Known<std::string>::missing_like(file);
    }
    const std::string name = last_part_of(*file);
    const std::optional<std::string_view> suffix = after_prefix(name, "libcuda.so.");
    const std::optional<Version> version = suffix ? Version::parse(*suffix) : std::nullopt;
    constexpr int first_driver_branch = 100;
    if (!version || version->major() < first_driver_branch) {
        return Known<std::string>::missing(Missing::unsupported, "the file name carries no driver version",
                                           file.source());
    }
    return {std::string(*suffix), Source{file.source().origin, 0, *file}};
}

Known<bool> smi_installed(Host& host, const Known<std::map<std::string, std::string>>& environment) {
    std::string list = "/usr/bin:/usr/lib/wsl/lib:/usr/local/nvidia/bin";
    if (environment && environment->contains("PATH")) {
        list = environment->at("PATH") + ":" + list;
    }
    const Known<std::string> program =
        first_existing(host, inside_each(directories_in(list, ":"), "nvidia-smi"));
    if (program) {
        return {true, Source{*program, 0, *program}};
    }
    if (program.why() != Missing::absent) {
        return Known<bool>::missing_like(program);
    }
    return environment ? Known<bool>(false, Source{"PATH", 0, program.because()})
                       : Known<bool>::missing_like(environment);
}

// ---- packages ----

constexpr std::string_view debian_like = "debian ubuntu";
constexpr std::string_view red_hat_like = "fedora rhel centos rocky almalinux ol amzn suse opensuse sles";

bool names_one_of(std::string_view family, std::string_view ids) {
    for (std::string_view id : words_of(ids)) {
        for (std::string_view known : words_of(family)) {
            // "opensuse-leap" and "opensuse-tumbleweed" are ids as well.
            if (id == known || (id.starts_with(known) && id[known.size()] == '-')) {
                return true;
            }
        }
    }
    return false;
}

/// ID and ID_LIKE of os-release, separated by a space.
Known<std::string> distribution(Host& host) {
    const Known<std::string> content = read_file(host, "/etc/os-release");
    if (!content) {
        return content;
    }
    std::string ids;
    for (std::string_view line : lines_of(*content)) {
        for (std::string_view key : {"ID=", "ID_LIKE="}) {
            if (const std::optional<std::string_view> value = after_prefix(line, key)) {
                ids += std::string(*value) + " ";
            }
        }
    }
    std::ranges::replace(ids, '"', ' ');
    std::ranges::replace(ids, '\'', ' ');
    return {std::string(trimmed(ids)), content.source()};
}

/// One "name=version" of a line; the empty text for a package that is not installed, and for messages.
std::string package_in(std::string_view line, bool with_status) {
    constexpr std::string_view installed = "=installed";
    if (with_status && !line.ends_with(installed)) {
        return "";
    }
    line = trimmed(with_status ? line.substr(0, line.size() - installed.size()) : line);
    return contains(line, "=") && !contains(line, " ") ? std::string(line) : "";
}

Known<Texts> packages(Host& host) {
    const Known<std::string> ids = distribution(host);
    if (!ids) {
        return Known<Texts>::missing_like(ids);
    }
    const bool debian = names_one_of(debian_like, *ids);
    if (!debian && !names_one_of(red_hat_like, *ids)) {
        return Known<Texts>::missing(Missing::unsupported, "no package query for '" + *ids + "'",
                                     ids.source());
    }
    const std::string command(debian ? command::dpkg_gpu_packages : command::rpm_gpu_packages);
    const Known<CommandOutput> output = run_command(host, command);
    if (!output) {
        return Known<Texts>::missing_like(output);
    }
    // dpkg-query ends with 1 when one of the patterns matches nothing.
    if (output->exit_code > (debian ? 1 : 0)) {
        return Known<Texts>::missing(Missing::malformed,
                                     "the package query ended with " + std::to_string(output->exit_code),
                                     {output.source().origin, 0, output->text.substr(0, 200)});
    }
    Texts names;
    for (std::string_view line : lines_of(output->text)) {
        std::string package = package_in(line, debian);
        if (!package.empty() && names.size() < packages_limit) {
            names.push_back(std::move(package));
        }
    }
    return {std::move(names), output.source()};
}

Known<bool> has_nvidia_device(Host& host) {
    constexpr const char* bus = "/sys/bus/pci/devices";
    const Known<Texts> addresses = list_directory(host, bus);
    if (!addresses) {
        return Known<bool>::missing_like(addresses);
    }
    Known<bool> found(false, addresses.source());
    for (const std::string& address : *addresses) {
        const Known<std::string> vendor = read_value(host, std::string(bus) + "/" + address + "/vendor");
        if (vendor.is("0x10de")) {
            return {true, vendor.source()};
        }
        if (!vendor && vendor.why() != Missing::absent) {
            found = Known<bool>::missing_like(vendor);
        }
    }
    return found;
}

/// A package query takes a tenth of a second: only machines with something of NVIDIA pay for it.
bool is_worth_asking(Host& host, const NvidiaFacts& nvidia) {
    return nvidia.library_file || nvidia.kernel_version || has_nvidia_device(host).is(true);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    NvidiaFacts& nvidia = facts.nvidia;
    read_kernel_side(host, nvidia);
    nvidia.proc_gpus = proc_gpus(host);
    const Known<std::map<std::string, std::string>> environment = variables(host);
    const Known<std::string> library = library_path(host, environment);
    nvidia.library_file = library ? resolved_path(host, *library) : library;
    nvidia.library_version = version_in_name(nvidia.library_file);
    nvidia.smi_installed = smi_installed(host, environment);
    nvidia.packages = is_worth_asking(host, nvidia)
                          ? packages(host)
                          : Known<Texts>::missing(Missing::not_asked,
                                                  "there is no NVIDIA device or driver to have packages");
}

}  // namespace whygpu::probes::nvidia
