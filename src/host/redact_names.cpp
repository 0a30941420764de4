#include "host/redact_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/text.h"
#include "host/variable_names.h"

namespace whygpu {

namespace {

constexpr std::size_t shortest_name = 3;
constexpr std::int64_t first_person_id = 1000;  // UID_MIN and GID_MIN of every large distribution

/// Replacing these would blacken the report and protect nobody.
constexpr std::array<std::string_view, 49> common_names = {
    "root",   "user",    "admin",   "ubuntu", "debian", "fedora", "centos",    "rocky",  "arch",   "linux",
    "nvidia", "cuda",    "amd",     "gpu",    "rocm",   "amdgpu", "nouveau",   "intel",  "kernel", "driver",
    "docker", "podman",  "torch",   "python", "conda",  "jovyan", "vscode",    "runner", "test",   "home",
    "host",   "secret",  "serial",  "uuid",   "email",  "mac",    "other",     "cloud",  "pci",    "video",
    "render", "default", "service", "daemon", "nobody", "none",   "localhost", "hex",    "key"};

/// Homes of root and of system accounts: half of all paths begin with them.
constexpr std::array<std::string_view, 14> common_homes = {
    "/root", "/usr", "/usr/sbin", "/bin", "/sbin", "/dev",  "/proc",
    "/sys",  "/etc", "/opt",      "/tmp", "/var",  "/home", "/nonexistent"};

// What the probes ask for besides the variables of GPU software: where programs and packages are, the
// language, the container.
constexpr std::array<std::string_view, 19> kept_names = {"PATH",
                                                         "HOME",
                                                         "LANG",
                                                         "LC_ALL",
                                                         "PYTHONPATH",
                                                         "PYTHONHOME",
                                                         "PYTHONUSERBASE",
                                                         "PYTHONNOUSERSITE",
                                                         "PYENV_ROOT",
                                                         "PYENV_VERSION",
                                                         "CONDA_DEFAULT_ENV",
                                                         "container",
                                                         "WSL_DISTRO_NAME",
                                                         "WSL_INTEROP",
                                                         "APPTAINER_NAME",
                                                         "APPTAINER_CONTAINER",
                                                         "SINGULARITY_CONTAINER",
                                                         "SINGULARITY_NAME",
                                                         "KUBERNETES_SERVICE_HOST"};

bool is_name_char(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin == 0 || !is_name_char(text[begin - 1])) && (end >= text.size() || !is_name_char(text[end]));
}

bool is_kept(std::string_view name) {
    return steers_gpu_software(name) || std::ranges::count(kept_names, name) > 0;
}

/// "docker:x:999:alice,bob" with its names replaced; nullopt for a person's own line.
std::optional<std::string> account_line(std::string_view line, std::string_view user) {
    std::vector<std::string_view> fields = split(line, ':');
    const std::optional<std::int64_t> id = fields.size() < 4 ? std::nullopt : parse_int(fields[2]);
    const bool is_group = fields.size() == 4;
    if (!id || (*id >= first_person_id && fields[0] != user && fields[0] != "render" &&
                fields[0] != "video" && fields[0] != "docker")) {
        return std::nullopt;
    }
    std::vector<std::string> out(fields.begin(), fields.end());
    if (out[0] == user) {
        out[0] = "<user>";
    }
    if (is_group && !fields[3].empty()) {
        out[3].clear();
        for (std::string_view member : split(fields[3], ',')) {
            out[3] += out[3].empty() ? "" : ",";
            out[3] += member == user || member == "<user>" ? "<user>" : "<other>";
        }
    } else if (fields.size() > 4) {
        out[4].clear();  // the full name
    }
    return join(out, ":");
}

}  // namespace

std::string without_name(std::string_view text, std::string_view name, std::string_view replacement) {
    const std::string wanted = lower(name);
    if (wanted.size() < shortest_name || std::ranges::count(common_names, wanted) > 0) {
        return std::string(text);
    }
    const std::string lowered = lower(text);
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = lowered.find(wanted); at != std::string::npos; at = lowered.find(wanted, at + 1)) {
        if (at < copied || !stands_alone(text, at, at + wanted.size())) {
            continue;
        }
        out += text.substr(copied, at - copied);
        out += replacement;
        copied = at + wanted.size();
    }
    out += text.substr(copied);
    return out;
}

std::string without_home(std::string_view text, std::string_view home) {
    while (home.ends_with('/')) {
        home.remove_suffix(1);
    }
    if (home.size() < 2 || home[0] != '/' || std::ranges::count(common_homes, home) > 0) {
        return std::string(text);
    }
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text.find(home); at != std::string_view::npos; at = text.find(home, at + 1)) {
        const std::size_t end = at + home.size();
        const bool whole = end >= text.size() || (!is_name_char(text[end]) && text[end] != '-');
        const bool starts =
            at == 0 || (!is_name_char(text[at - 1]) && text[at - 1] != '.' && text[at - 1] != '-');
        if (at < copied || !whole || !starts) {
            continue;
        }
        out += text.substr(copied, at - copied);
        out += "<home>";
        copied = end;
    }
    out += text.substr(copied);
    return out;
}

std::string without_accounts(std::string_view text, std::string_view user) {
    std::string out;
    for (std::string_view line : lines_of(text)) {
        if (const std::optional<std::string> kept = account_line(line, user)) {
            out += *kept + "\n";
        }
    }
    return out;
}

std::string kept_variables(std::string_view environment) {
    std::string out;
    for (std::string_view line : lines_of(environment)) {
        const std::string_view name = line.substr(0, line.find('='));
        if (name == line || !is_kept(name)) {
            continue;
        }
        out += name == "KUBERNETES_SERVICE_HOST" ? std::string(name) + "=<ip>" : std::string(line);
        out += '\n';
    }
    return out;
}

}  // namespace whygpu
