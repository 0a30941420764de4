#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/platform.h"

// There is no single sign of a container. Images leave files behind that outlive the container (a
// virtual machine may boot a Docker image, WSL may import one), hosts run daemons whose mounts look
// like containers, and Apptainer and toolboxes share the host's processes. So: what this process sees
// as its root decides first, then what process 1 and its own group are called, then files.

namespace whygpu::probes::container {

namespace {

using Names = std::vector<std::string>;
using Text = Known<std::string>;

constexpr std::size_t mounts_limit = 200;

// ---- mounts ----

struct Mount {
    std::string point;
    std::string type;
    std::string device;   ///< "/dev/vda", "overlay", "tmpfs"
    std::string options;  ///< of the file system: "rw,size=65536k"
    std::string line;
};

// The kernel writes spaces and the like in paths as \040.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape =
            text[at] == '\\' && at + 3 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '1';
        if (escape) {
            out += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 +
                                     (text[at + 3] - '0'));
            at += 3;
        } else {
            out += text[at];
        }
    }
    return out;
}

// "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw": the mount point is the fifth word, type and
// device follow the lone hyphen.
std::vector<Mount> mounts_of(std::string_view content) {
    std::vector<Mount> mounts;
    for (const std::string_view line : lines_of(content)) {
        const std::vector<std::string_view> words = words_of(line);
        const auto hyphen = std::ranges::find(words, "-");
        if (words.size() > 5 && words.end() - hyphen > 2) {
            const std::string options(words.end() - hyphen > 3 ? hyphen[3] : "");
            mounts.push_back(Mount{unescaped(words[4]), std::string(hyphen[1]), std::string(hyphen[2]),
                                   options, std::string(line)});
        }
    }
    return mounts;
}

// ---- what is looked at ----

struct Sight {
    Text mountinfo;
    std::vector<Mount> mounts;
    Known<std::map<std::string, std::string>> environment;
    Text kernel_thread;  ///< name of process 2: kthreadd where the machine's own processes are seen
    Text release;

    const Mount* root() const {
        const Mount* found = nullptr;  // the last one lies on top
        for (const Mount& mount : mounts) {
            found = mount.point == "/" ? &mount : found;
        }
        return found;
    }
    bool root_is_overlay() const { return root() != nullptr && contains(root()->type, "overlay"); }
    bool root_is_disk() const {
        return root() != nullptr && root()->device.starts_with("/dev/") && !root_is_overlay();
    }
    bool sees_kernel() const { return kernel_thread.is("kthreadd"); }
    bool is_machine() const {
        return root_is_disk() && (sees_kernel() || (release && is_wsl_release(*release)));
    }
};

Sight look(Host& host) {
    Sight sight;
    sight.mountinfo = read_file(host, "/proc/self/mountinfo");
    sight.mounts = sight.mountinfo ? mounts_of(*sight.mountinfo) : std::vector<Mount>();
    sight.environment = variables(host);
    sight.kernel_thread = read_value(host, "/proc/2/comm");
    sight.release = platform_value(host, "release");
    return sight;
}

// ---- signs: the engine and where it shows ----

using Sign = std::optional<Text>;

Sign set_variable(const Sight& sight, std::initializer_list<const char*> names, const std::string& engine) {
    for (const std::string name : names) {
        if (sight.environment && sight.environment->contains(name)) {
            return Text(engine, Source{"environment", 0, name + "=" + sight.environment->at(name)});
        }
    }
    return std::nullopt;
}

Sign existing(Host& host, const std::string& path, const std::string& engine) {
    return exists(host, path).is(true) ? Sign(Text(engine, Source{path, 0, "exists"})) : std::nullopt;
}

// The word that an engine leaves in `container=` or /run/systemd/container. systemd counts WSL as a
// container; we do not.
std::string engine_named(std::string_view word) {
    for (const char* engine : {"docker", "podman", "lxc", "systemd-nspawn"}) {
        if (word.starts_with(engine)) {
            return engine;
        }
    }
    return word.empty() || word == "wsl" ? "" : "unknown";
}

// The engine that named one part of a control group's path. A daemon's own group, docker.service or
// containerd.service, is a host's.
std::string engine_of_group(std::string_view part, std::string_view next) {
    const bool scope = part.ends_with(".scope");
    if (part.starts_with("kubepods")) {
        return "kubernetes";
    }
    if ((part == "docker" && !next.empty()) || (part.starts_with("docker-") && scope)) {
        return "docker";
    }
    if (part.starts_with("libpod-") || part.starts_with("libpod_")) {
        return "podman";
    }
    if (part.starts_with("cri-containerd") || (part.starts_with("nerdctl-") && scope)) {
        return "containerd";
    }
    if (part.starts_with("lxc.payload") || (part == "lxc" && !next.empty())) {
        return "lxc";
    }
    return "";
}

// "12:devices:/kubepods/burstable/pod…/…", "0::/system.slice/docker-….scope".
Sign group_sign(Host& host, const std::string& path) {
    const Text content = read_file(host, path);
    int number = 0;
    for (const std::string_view line : content ? lines_of(*content) : std::vector<std::string_view>()) {
        ++number;
        const std::vector<std::string_view> parts =
            split(line.substr(std::min(line.find('/'), line.size())), '/');
        for (std::size_t index = 0; index < parts.size(); ++index) {
            const std::string engine =
                engine_of_group(parts[index], index + 1 < parts.size() ? parts[index + 1] : "");
            if (!engine.empty()) {
                return Text(engine, Source{path, number, std::string(line)});
            }
        }
    }
    return std::nullopt;
}

// Process 1's environment is open to root only; its variables are separated by NULs.
Sign first_process_sign(Host& host) {
    const std::string path = "/proc/1/environ";
    const Text content = read_file(host, path);
    for (const std::string_view variable :
         content ? split(*content, '\0') : std::vector<std::string_view>()) {
        const std::optional<std::string_view> word = after_prefix(variable, "container=");
        const std::string engine = engine_named(word.value_or(""));
        if (!engine.empty()) {
            return Text(engine, Source{path, 0, std::string(variable)});
        }
    }
    return std::nullopt;
}

Sign systemd_sign(Host& host) {
    const Text word = read_value(host, "/run/systemd/container");
    const std::string engine = word ? engine_named(*word) : "";
    return engine.empty() ? std::nullopt : Sign(Text(engine, word.source()));
}

Sign own_variable_sign(const Sight& sight) {
    if (!sight.environment || !sight.environment->contains("container")) {
        return std::nullopt;
    }
    const std::string& word = sight.environment->at("container");
    const std::string engine = engine_named(word);
    return engine.empty() ? std::nullopt : Sign(Text(engine, Source{"environment", 0, "container=" + word}));
}

// LXC covers files of /proc by lxcfs. On its host that is mounted elsewhere.
Sign mount_sign(const Sight& sight) {
    for (const Mount& mount : sight.mounts) {
        if (mount.type == "fuse.lxcfs" && mount.point.starts_with("/proc/")) {
            return Text("lxc", Source{"/proc/self/mountinfo", 0, mount.line});
        }
    }
    // Live systems have an overlay as root too, but they see their kernel's threads.
    if (sight.root_is_overlay() && !sight.sees_kernel()) {
        return Text("unknown", Source{"/proc/self/mountinfo", 0, sight.root()->line});
    }
    return std::nullopt;
}

Text no_container(Host& host, const Sight& sight) {
    const Known<bool> file = exists(host, "/.dockerenv");
    if (sight.is_machine() || (sight.mountinfo && file)) {
        const std::string line = sight.root() == nullptr ? "" : sight.root()->line;
        return Text::missing(Missing::absent, "not in a container", Source{"/proc/self/mountinfo", 0, line});
    }
    return sight.mountinfo ? Text::missing_like(file) : sight.mountinfo;
}

// The engine; absent "not in a container" on a machine's own system, missing when that is unknown.
// Apptainer comes first: it shares process 1 with its host, and often the disk.
Text engine_around(Host& host, const Sight& sight) {
    if (const Sign sign = set_variable(
            sight, {"APPTAINER_NAME", "SINGULARITY_NAME", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"},
            "apptainer")) {
        return *sign;
    }
    if (sight.is_machine()) {
        return no_container(host, sight);
    }
    const std::array signs = {
        set_variable(sight, {"KUBERNETES_SERVICE_HOST"}, "kubernetes"),
        existing(host, "/var/run/secrets/kubernetes.io", "kubernetes"),
        group_sign(host, "/proc/self/cgroup"),
        existing(host, "/run/.containerenv", "podman"),
        existing(host, "/.dockerenv", "docker"),
        existing(host, "/.singularity.d", "apptainer"),
        group_sign(host, "/proc/1/cgroup"),
        first_process_sign(host),
        own_variable_sign(sight),
        systemd_sign(host),
        mount_sign(sight),
    };
    const auto found = std::ranges::find_if(signs, [](const Sign& sign) { return sign.has_value(); });
    return found == signs.end() ? no_container(host, sight) : **found;
}

// ---- what was passed in ----

Text variable(const Sight& sight, const std::string& name) {
    if (!sight.environment) {
        return Text::missing_like(sight.environment);
    }
    const auto found = sight.environment->find(name);
    const Source source{"environment", 0,
                        found == sight.environment->end() ? "" : name + "=" + found->second};
    return found == sight.environment->end() ? Text::missing(Missing::absent, name + " is not set", source)
                                             : Text(found->second, source);
}

bool is_gpu_path(std::string_view path) {
    return contains(path, "nvidia") || contains(path, "libcuda") || contains(path, "/dev/dri") ||
           contains(path, "/dev/kfd");
}

Known<Names> gpu_mounts(const Sight& sight, const Text& engine) {
    if (!engine || !sight.mountinfo) {
        return engine ? Known<Names>::missing_like(sight.mountinfo) : Known<Names>::missing_like(engine);
    }
    std::set<std::string> points;
    for (const Mount& mount : sight.mounts) {
        if (is_gpu_path(mount.point) && points.size() < mounts_limit) {
            points.insert(mount.point);
        }
    }
    return Known<Names>(Names(points.begin(), points.end()), sight.mountinfo.source());
}

// "65536k", "8g", "67108864": the kernel prints kibibytes.
std::optional<std::int64_t> bytes_of(std::string_view text) {
    int shift = 0;
    if (!text.empty() && contains("kmg", text.substr(text.size() - 1))) {
        shift = text.back() == 'k' ? 10 : text.back() == 'm' ? 20 : 30;
        text.remove_suffix(1);
    }
    const std::optional<std::int64_t> number = parse_int(text);
    const bool fits = number && *number >= 0 && *number < (std::int64_t{1} << 32);
    return fits ? std::optional(*number << shift) : std::nullopt;
}

// A tmpfs without a size option may take half of the memory.
Known<std::int64_t> shm_bytes(const Sight& sight, const Text& engine) {
    if (!engine || !sight.mountinfo) {
        return engine ? Known<std::int64_t>::missing_like(sight.mountinfo)
                      : Known<std::int64_t>::missing_like(engine);
    }
    const std::string origin = "/proc/self/mountinfo";
    Known<std::int64_t> bytes = Known<std::int64_t>::missing(
        Missing::absent, "/dev/shm has no size limit of its own", {origin, 0, ""});
    for (const Mount& mount : sight.mounts) {
        if (mount.point != "/dev/shm" || mount.type != "tmpfs") {
            continue;
        }
        for (const std::string_view option : split(mount.options, ',')) {
            const std::optional<std::string_view> size = after_prefix(option, "size=");
            const std::optional<std::int64_t> value = size ? bytes_of(*size) : std::nullopt;
            bytes = value ? Known<std::int64_t>(*value, Source{origin, 0, mount.line}) : bytes;
        }
    }
    return bytes;
}

// "system_u:system_r:container_t:s0:c12,c34"; "unconfined" is AppArmor's word in the same file.
Text selinux_label(Host& host, const Text& engine) {
    if (!engine) {
        return Text::missing_like(engine);
    }
    const Text label = read_value(host, "/proc/self/attr/current");
    return label && !contains(*label, ":")
               ? Text::missing(Missing::absent, "no SELinux context", label.source())
               : label;
}

}  // namespace

void probe(Host& host, Facts& facts) {
    ContainerFacts& container = facts.container;
    const Sight sight = look(host);
    container.engine = engine_around(host, sight);
    const bool decided = container.engine || container.engine.why() == Missing::absent;
    container.inside = decided ? Known<bool>(container.engine.known(), container.engine.source())
                               : Known<bool>::missing_like(container.engine);
    container.visible_devices = variable(sight, "NVIDIA_VISIBLE_DEVICES");
    container.driver_capabilities = variable(sight, "NVIDIA_DRIVER_CAPABILITIES");
    container.gpu_mounts = gpu_mounts(sight, container.engine);
    container.shm_bytes = shm_bytes(sight, container.engine);
    container.selinux_label = selinux_label(host, container.engine);
}

}  // namespace whygpu::probes::container
