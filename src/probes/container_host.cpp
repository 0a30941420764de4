#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/commands.h"
#include "host/paths.h"
#include "probes/container_config.h"

// A container gets the GPU from its host in one of two ways. The older one is a runtime called nvidia,
// registered in the engine's configuration, whose hook asks nvidia-container-cli to put files in. The
// newer one is a CDI specification: a list of device nodes and library files, made once for a driver
// and read by the engine. The list goes stale when the driver changes; toolkit 1.18 renews it by a
// service of its own. Docker from 25 on reads CDI when asked to, from 28.3 on by itself, and Docker 29
// sends --gpus through it.

namespace whygpu::probes::container_host {

namespace {

using Texts = std::vector<std::string>;
using Text = Known<std::string>;
using Spec = ContainerHostFacts::CdiSpec;
using Specs = std::vector<Spec>;

constexpr const char* daemon_file = "/etc/docker/daemon.json";
constexpr const char* toolkit_file = "/etc/nvidia-container-runtime/config.toml";
constexpr std::size_t specs_limit = 20;
constexpr std::size_t checked_limit = 100;

// ---- what is installed ----

struct Program {
    const char* name;
    const char* path;
};

constexpr std::array engine_programs = {
    Program{"docker", "/usr/bin/dockerd"},
    Program{"docker", "/usr/sbin/dockerd"},
    Program{"docker-snap", "/snap/bin/docker"},
    Program{"docker-desktop", "/opt/docker-desktop"},
    Program{"podman", "/usr/bin/podman"},
    Program{"containerd", "/usr/bin/containerd"},
    Program{"containerd", "/usr/local/bin/containerd"},
};

constexpr std::array toolkit_programs = {
    Program{"", "/usr/bin/nvidia-ctk"},
    Program{"", "/usr/bin/nvidia-container-runtime"},
    Program{"", "/usr/bin/nvidia-container-runtime-hook"},
    Program{"", "/usr/bin/nvidia-container-cli"},
    Program{"", "/usr/local/nvidia/toolkit/nvidia-container-runtime"},
};

// A program that could not be looked for makes the list unknown unless another one was found.
template <std::size_t count>
Known<Texts> installed(Host& host, const std::array<Program, count>& programs, bool names) {
    Texts found;
    Known<bool> failed(true);
    for (const Program& program : programs) {
        const Known<bool> there = exists(host, program.path);
        failed = there ? failed : there;
        const std::string entry = names ? program.name : program.path;
        if (there.is(true) && std::ranges::find(found, entry) == found.end()) {
            found.push_back(entry);
        }
    }
    if (found.empty() && !failed) {
        return Known<Texts>::missing_like(failed);
    }
    return {found, Source{"installed programs", 0, join(found, " ")}};
}

bool has(const Known<Texts>& list, const std::string& entry) {
    return list && std::ranges::find(*list, entry) != list->end();
}

// "Docker version 27.5.1, build 9f9e405"; a podman that goes by that name says its own.
Text docker_version(Host& host, const Known<Texts>& engines) {
    const std::string command(command::docker_version);
    if (!has(engines, "docker") || !exists(host, "/proc/driver/nvidia").is(true)) {
        return Text::missing(Missing::absent, "no Docker with an NVIDIA driver here", {command, 0, ""});
    }
    const Known<CommandOutput> output = run_command(host, command);
    if (!output) {
        return Text::missing_like(output);
    }
    const std::string line(trimmed(std::string_view(output->text).substr(0, output->text.find('\n'))));
    const std::optional<std::string_view> rest = after_prefix(line, "Docker version ");
    const std::optional<Version> version = rest ? Version::parse_prefix(*rest) : std::nullopt;
    return version ? Text(version->text(), Source{command, 0, line})
                   : Text::missing(Missing::malformed, "no version there", Source{command, 0, line});
}

// ---- Docker's configuration ----

Known<Json> daemon_settings(Host& host) {
    const Text content = read_file(host, daemon_file);
    if (!content) {
        return Known<Json>::missing_like(content);
    }
    const Result<Json> json = parse_json(*content);
    const bool object = json && json->as_object();
    return object ? Known<Json>(*json, Source{daemon_file, 0, ""})
                  : Known<Json>::missing(Missing::malformed, "not valid JSON", Source{daemon_file, 0, ""});
}

const Json* member(const Known<Json>& json, std::string_view first, std::string_view second) {
    const Json* outer = json ? json->find(first) : nullptr;
    return outer == nullptr ? nullptr : outer->find(second);
}

// The daemon finds a bare name along its PATH, which is the system's.
Known<bool> program_exists(Host& host, const std::string& path, const Source& source) {
    const Texts places =
        is_absolute_path(path)
            ? Texts{path}
            : inside_each({"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin"}, path);
    const Text found = first_existing(host, places);
    const bool decided = found || found.why() == Missing::absent;
    return decided ? Known<bool>(found.known(), source) : Known<bool>::missing_like(found);
}

void fill_runtime_program(Host& host, const std::string& path, ContainerHostFacts& facts) {
    const Source source{daemon_file, 0, "\"path\": \"" + path + "\""};
    facts.docker_nvidia_program =
        path.empty() ? Text::missing(Missing::absent, "no path of a runtime nvidia", {daemon_file, 0, ""})
                     : Text(path, source);
    facts.docker_nvidia_program_exists = path.empty() ? Known<bool>::missing_like(facts.docker_nvidia_program)
                                                      : program_exists(host, path, source);
}

void fill_docker(Host& host, ContainerHostFacts& facts) {
    const Known<Json> settings = daemon_settings(host);
    const Source source{daemon_file, 0, ""};
    if (!settings) {
        facts.docker_runtimes = settings.why() == Missing::absent ? Known<Texts>(Texts(), source)
                                                                  : Known<Texts>::missing_like(settings);
        facts.docker_default_runtime = Text::missing_like(settings);
        facts.docker_nvidia_program = Text::missing_like(settings);
        facts.docker_nvidia_program_exists = Known<bool>::missing_like(settings);
        facts.docker_cdi = Known<bool>::missing_like(settings);
        facts.docker_cdi_dirs = Known<Texts>::missing_like(settings);
        return;
    }
    Texts names;
    const Json* runtimes = settings->find("runtimes");
    for (const auto& [name, value] :
         runtimes && runtimes->as_object() ? *runtimes->as_object() : Json::Object()) {
        if (names.size() < entries_limit) {
            names.push_back(name);
        }
    }
    facts.docker_runtimes = Known<Texts>(names, Source{daemon_file, 0, "runtimes: " + join(names, " ")});
    const std::string default_runtime = settings->text("default-runtime");
    facts.docker_default_runtime =
        default_runtime.empty()
            ? Text::missing(Missing::absent, "no default-runtime", source)
            : Text(default_runtime,
                   Source{daemon_file, 0, "\"default-runtime\": \"" + default_runtime + "\""});
    const Json* nvidia = member(settings, "runtimes", "nvidia");
    fill_runtime_program(host, nvidia == nullptr ? "" : nvidia->text("path"), facts);
    const Json* cdi = member(settings, "features", "cdi");
    facts.docker_cdi =
        cdi && cdi->as_bool()
            ? Known<bool>(*cdi->as_bool(),
                          Source{daemon_file, 0, *cdi->as_bool() ? "\"cdi\": true" : "\"cdi\": false"})
            : Known<bool>::missing(Missing::absent, "features.cdi is not set", source);
    const bool has_dirs = settings->find("cdi-spec-dirs") != nullptr;
    const Texts dirs = settings->texts("cdi-spec-dirs");
    facts.docker_cdi_dirs =
        has_dirs ? Known<Texts>(dirs, Source{daemon_file, 0, "cdi-spec-dirs: " + join(dirs, " ")})
                 : Known<Texts>::missing(Missing::absent, "cdi-spec-dirs is not set", source);
}

// ---- the toolkit's configuration ----

void fill_toolkit(Host& host, ContainerHostFacts& facts) {
    const Text content = read_file(host, toolkit_file);
    const Source source{toolkit_file, 0, ""};
    facts.no_cgroups = content ? Known<bool>(false, source) : Known<bool>::missing_like(content);
    facts.ldconfig = content ? Text::missing(Missing::absent, "no ldconfig of the host there", source)
                             : Text::missing_like(content);
    facts.ldconfig_exists = Known<bool>::missing_like(facts.ldconfig);
    int number = 0;
    for (const std::string_view line : content ? lines_of(*content) : std::vector<std::string_view>()) {
        ++number;
        const Source here{toolkit_file, number, std::string(trimmed(line))};
        if (const std::optional<std::string> value = toml_value(line, "no-cgroups")) {
            facts.no_cgroups = Known<bool>(*value == "true", here);
        }
        const std::optional<std::string> value = toml_value(line, "ldconfig");
        if (value && value->starts_with("@/")) {  // @: a path of the host, not of the image
            facts.ldconfig = Text(value->substr(1), here);
            const Known<bool> there = exists(host, *facts.ldconfig);
            facts.ldconfig_exists = there ? Known<bool>(*there, here) : there;
        }
    }
}

// ---- CDI ----

struct Named {
    std::string kind;
    Texts files;  ///< libraries of the driver
    Texts nodes;
};

Named named_in_json(const Json& json) {
    Named named;
    named.kind = json.text("kind");
    collect_texts(json, "hostPath", named.files);
    for (const std::string_view key : {"path", "hostPath"}) {
        collect_texts(json, key, named.nodes);
    }
    return named;
}

Named named_in_yaml(std::string_view content) {
    Named named;
    for (const std::string_view line : lines_of(content)) {
        if (const std::optional<std::string> kind = yaml_value(line, "kind")) {
            named.kind = *kind;
        }
        const std::optional<std::string> file = yaml_value(line, "hostPath");
        if (file && named.files.size() < entries_limit) {
            named.files.push_back(*file);
        }
        const std::optional<std::string> node = yaml_value(line, "path");
        if (node && named.nodes.size() < entries_limit) {
            named.nodes.push_back(*node);
        }
    }
    return named;
}

bool is_driver_library(const std::string& path) {
    const std::string name = last_part_of(path);
    return name.starts_with("libcuda.so.") || name.starts_with("libnvidia-ml.so.");
}

// Files that containers cannot start without. Sockets and configuration come and go, /dev/dri follows
// the display driver, and nodes such as nvidia-modeset appear only when somebody wants them.
Texts vital_paths(const Named& named) {
    Texts paths;
    for (const std::string& path : named.files) {
        if (is_driver_library(path)) {
            paths.push_back(path);
        }
    }
    for (const std::string& path : named.nodes) {
        const std::optional<std::string_view> gpu = after_prefix(path, "/dev/nvidia");
        if (path == "/dev/dxg" || (gpu && parse_int(*gpu))) {
            paths.push_back(path);
        }
    }
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    paths.resize(std::min(paths.size(), checked_limit));
    return paths;
}

Spec spec_of(Host& host, const std::string& path, const Named& named) {
    Spec spec;
    spec.path = Text(path, Source{path, 0, "kind: " + named.kind});
    spec.driver_version = Text::missing(Missing::absent, "no libcuda with a version there", {path, 0, ""});
    for (const std::string& file : named.files) {
        const std::string name = last_part_of(file);
        const std::optional<std::string_view> suffix = after_prefix(name, "libcuda.so.");
        const std::optional<Version> version = suffix ? Version::parse(*suffix) : std::nullopt;
        if (version && version->major() >= 100) {
            spec.driver_version = Text(std::string(*suffix), Source{path, 0, "hostPath: " + file});
        }
    }
    Texts gone;
    Known<bool> failed(true);
    for (const std::string& file : vital_paths(named)) {
        const Known<bool> there = exists(host, file);
        failed = there ? failed : there;
        if (there.is(false)) {
            gone.push_back(file);
        }
    }
    const bool decided = !gone.empty() || failed;
    spec.missing_files =
        decided ? Known<Texts>(gone, Source{path, 0, join(gone, " ")}) : Known<Texts>::missing_like(failed);
    return spec;
}

// A folder that is not there holds none.
Known<Specs> cdi_specs(Host& host) {
    Specs specs;
    Known<Texts> failed(Texts{});
    for (const std::string folder : {"/etc/cdi", "/var/run/cdi"}) {
        const Known<Texts> names = list_directory(host, folder);
        failed = names || names.why() == Missing::absent ? failed : names;
        for (const std::string& name : names ? *names : Texts()) {
            const bool json = name.ends_with(".json");
            const bool read = json || name.ends_with(".yaml") || name.ends_with(".yml");
            const Text content = read ? read_file(host, folder + "/" + name) : Text();
            if (!content || specs.size() >= specs_limit) {
                continue;
            }
            const Result<Json> tree = json ? parse_json(*content) : Result<Json>(Json());
            const Named named = json ? named_in_json(tree ? *tree : Json()) : named_in_yaml(*content);
            if (named.kind.starts_with("nvidia.com/")) {
                specs.push_back(spec_of(host, folder + "/" + name, named));
            }
        }
    }
    return specs.empty() && !failed ? Known<Specs>::missing_like(failed)
                                    : Known<Specs>(specs, Source{"/etc/cdi, /var/run/cdi", 0, ""});
}

// ---- Kubernetes ----

// nvidia-ctk 1.18 writes a file of its own beside the first one. k3s writes the whole file itself and
// adds the runtime when it finds it.
Texts containerd_files(Host& host) {
    Texts files = {"/etc/containerd/config.toml", "/var/lib/rancher/k3s/agent/etc/containerd/config.toml"};
    const std::string folder = "/etc/containerd/conf.d";
    const Known<Texts> names = list_directory(host, folder);
    for (const std::string& name : names ? *names : Texts()) {
        if (name.ends_with(".toml") && files.size() < specs_limit) {
            files.push_back(folder + "/" + name);
        }
    }
    return files;
}

// The first two are what kubeadm leaves; kubelet's own folder is root's.
Known<bool> kubernetes_node(Host& host) {
    const Text found = first_existing(
        host, {"/etc/kubernetes/kubelet.conf", "/var/lib/kubelet/config.yaml", "/var/lib/rancher/k3s/agent"});
    if (!found && found.why() != Missing::absent) {
        return Known<bool>::missing_like(found);
    }
    return {found.known(), Source{found ? *found : "/etc/kubernetes", 0, ""}};
}

void fill_containerd(Host& host, ContainerHostFacts& facts) {
    Texts runtimes;
    bool read = false;
    Text failed =
        Text::missing(Missing::absent, "no configuration of containerd", {"/etc/containerd", 0, ""});
    facts.containerd_default_runtime =
        Text::missing(Missing::absent, "no default_runtime_name", {"/etc/containerd", 0, ""});
    for (const std::string& file : containerd_files(host)) {
        const Text content = read_file(host, file);
        read = read || content;
        failed = content || content.why() == Missing::absent ? failed : content;
        int number = 0;
        for (const std::string_view line : content ? lines_of(*content) : std::vector<std::string_view>()) {
            ++number;
            if (const std::optional<std::string> name = toml_value(line, "default_runtime_name")) {
                facts.containerd_default_runtime =
                    Text(*name, Source{file, number, std::string(trimmed(line))});
            }
            const std::string name = containerd_runtime_in(line);
            const bool known = std::ranges::find(runtimes, name) != runtimes.end();
            if (!name.empty() && !known && runtimes.size() < specs_limit) {
                runtimes.push_back(name);
            }
        }
    }
    facts.containerd_runtimes =
        read ? Known<Texts>(runtimes, Source{"/etc/containerd", 0, "runtimes: " + join(runtimes, " ")})
             : Known<Texts>::missing_like(failed);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    ContainerHostFacts& engine = facts.container_host;
    engine.engines = installed(host, engine_programs, true);
    engine.toolkit_programs = installed(host, toolkit_programs, false);
    engine.docker_version = docker_version(host, engine.engines);
    fill_docker(host, engine);
    fill_toolkit(host, engine);
    engine.cdi_specs = cdi_specs(host);
    engine.kubernetes_node = kubernetes_node(host);
    fill_containerd(host, engine);
}

}  // namespace whygpu::probes::container_host
