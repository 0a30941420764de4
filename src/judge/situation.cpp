#include "judge/situation.h"

#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/knowledge.h"
#include "knowledge/nvidia.h"

namespace whygpu {

namespace {

std::string yes_no(bool value) {
    return value ? "true" : "false";
}

void set_if_known(Situation& situation, const std::string& name, const Known<bool>& fact) {
    if (fact) {
        situation.set(name, yes_no(*fact));
    }
}

void set_if_known(Situation& situation, const std::string& name, const Known<std::string>& fact) {
    if (fact) {
        situation.set(name, *fact);
    }
}

// The package-manager family, which decides what a command looks like.
std::string family_of(std::string_view id, std::string_view like) {
    const std::vector<std::pair<std::string_view, std::string_view>> families = {
        {"ubuntu", "ubuntu"}, {"debian", "debian"},  {"fedora", "fedora"}, {"rhel", "rhel"},
        {"rocky", "rhel"},    {"almalinux", "rhel"}, {"centos", "rhel"},   {"ol", "rhel"},
        {"amzn", "amazon"},   {"arch", "arch"},      {"nixos", "nixos"},   {"alpine", "alpine"},
        {"opensuse", "suse"}, {"sles", "suse"},      {"suse", "suse"},
    };
    for (const auto& [name, family] : families) {
        if (id == name || id.starts_with(std::string(name) + "-")) {
            return std::string(family);
        }
    }
    for (const std::string_view parent : words_of(like)) {
        for (const auto& [name, family] : families) {
            if (parent == name) {
                return std::string(family);
            }
        }
    }
    return "other";
}

// A path as one word of a command line: "/mnt/c/My Tools/python" needs quotes. One that holds a quote
// itself stays as it is, which no command takes (judge/fix.cpp).
std::string shell_word(const std::string& path) {
    const bool needs_quotes = path.find_first_of(" ;&|()$`\\\"*?#!{}[]") != std::string::npos;
    return needs_quotes && !contains(path, "'") ? "'" + path + "'" : path;
}

void add_system(Situation& situation, const Facts& facts) {
    set_if_known(situation, "distro", facts.os.id);
    set_if_known(situation, "distro_version", facts.os.version);
    set_if_known(situation, "arch", facts.os.architecture);
    set_if_known(situation, "kernel", facts.kernel.release);
    set_if_known(situation, "jetson", facts.os.jetson);
    set_if_known(situation, "wsl", facts.wsl.inside);
    set_if_known(situation, "container", facts.container.inside);
    set_if_known(situation, "engine", facts.container.engine);
    set_if_known(situation, "secure_boot", facts.kernel.secure_boot);
    set_if_known(situation, "hypervisor", facts.os.hypervisor);
    if (facts.os.hypervisor) {
        situation.set("vm", yes_no(*facts.os.hypervisor != "none"));
    }
    if (facts.os.id) {
        situation.set("family", family_of(*facts.os.id, facts.os.like ? *facts.os.like : ""));
    }
    // An unknown user gets the command that works for everybody.
    const bool root = facts.os.user_id.is(0);
    if (facts.os.user_id) {
        situation.set("root", yes_no(root));
    }
    situation.set("sudo", root ? "" : "sudo ");
    const std::string python =
        facts.python.interpreter ? shell_word(*facts.python.interpreter) : std::string("python3");
    situation.set("python", python);
    situation.set("pip", python + " -m pip");
    set_if_known(situation, "managed", facts.python.externally_managed);
    // Where pip may not install, packages go into an environment of their own, which a step of the fix
    // makes first.
    const bool managed = facts.python.externally_managed.is(true);
    const std::string environment = managed ? "~/gpu-env/bin/python" : python;
    situation.set("env_python", environment);
    situation.set("env_pip", environment + " -m pip");
    if (facts.services.nvswitch_count) {
        situation.set("nvswitch", yes_no(*facts.services.nvswitch_count > 0));
    }
}

bool any_gpu(const std::vector<Gpu>& gpus, std::string_view vendor, bool capable_only) {
    return std::any_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) {
        return gpu.vendor == vendor && (gpu.capable || !capable_only);
    });
}

// Absence can only be told from the bus (or, in WSL, from the paravirtual device): a list that could
// not be read says nothing.
bool bus_was_read(const Facts& facts) {
    return facts.pci.gpus.known() || (facts.wsl.inside.is(true) && facts.wsl.dxg_node.known());
}

void add_presence(Situation& situation, const std::string& name, bool present, bool decidable) {
    if (present || decidable) {
        situation.set(name, yes_no(present));
    }
}

void add_gpus(Situation& situation, const Facts& facts, const std::vector<Gpu>& gpus) {
    const bool decidable = bus_was_read(facts);
    // In WSL the card is behind /dev/dxg and its maker shows only through the driver's libraries.
    const bool wsl_nvidia = facts.wsl.inside.is(true) && facts.wsl.dxg_node.is(true) &&
                            facts.wsl.driver_libraries.known() && !facts.wsl.driver_libraries->empty();
    const bool jetson = facts.os.jetson.is(true);
    const bool nvidia = any_gpu(gpus, "nvidia", false) || wsl_nvidia || jetson;
    const bool nvidia_capable = any_gpu(gpus, "nvidia", true) || wsl_nvidia || jetson;
    const bool amd_capable = any_gpu(gpus, "amd", true);
    add_presence(situation, "nvidia_gpu", nvidia, decidable);
    add_presence(situation, "nvidia_capable", nvidia_capable, decidable);
    add_presence(situation, "amd_capable", amd_capable, decidable);
    add_presence(situation, "capable", nvidia_capable || amd_capable, decidable);
}

// What is known of the chip of a card; the card's own values go before those of its chip (a GH200 needs
// the open modules that an H100 may do without).
std::optional<Chip> chip_of(const Knowledge& tables, const Gpu& gpu) {
    std::optional<Chip> chip = chip_by_name(tables, gpu.chip);
    if (!chip && gpu.compute_capability) {
        chip = chip_of_capability(tables, *gpu.compute_capability);
    }
    if (chip) {
        chip->open_modules = gpu.open_modules;
        chip->last_driver_branch = gpu.last_driver_branch;
    }
    return chip;
}

// One driver has to serve all cards: the oldest last branch binds it, then the newest first one; and
// of the cards that current drivers serve, one that needs the open modules decides.
bool is_stricter(const Knowledge& tables, const Chip& chip, const Chip& than) {
    if (chip.last_driver_branch != than.last_driver_branch) {
        return chip.last_driver_branch &&
               (!than.last_driver_branch || *chip.last_driver_branch < *than.last_driver_branch);
    }
    const std::optional<int> branch = advised_driver_branch(tables, chip);
    const std::optional<int> other = advised_driver_branch(tables, than);
    if (branch != other) {
        return branch && (!other || *branch > *other);
    }
    return chip.open_modules == "required" && than.open_modules != "required";
}

void add_driver_advice(Situation& situation, const Knowledge& tables, const std::vector<Gpu>& gpus) {
    std::optional<Chip> strictest;
    for (const Gpu& gpu : gpus) {
        const std::optional<Chip> chip =
            gpu.vendor == "nvidia" && gpu.capable ? chip_of(tables, gpu) : std::nullopt;
        if (chip && (!strictest || is_stricter(tables, *chip, *strictest))) {
            strictest = chip;
        }
    }
    if (!strictest) {
        return;
    }
    if (!strictest->open_modules.empty()) {
        situation.set("open_module", strictest->open_modules);
        situation.set("open_suffix", strictest->open_modules == "no" ? "" : "-open");
    }
    if (const std::optional<int> branch = advised_driver_branch(tables, *strictest)) {
        situation.set("driver_branch", std::to_string(*branch));
    }
}

}  // namespace

std::optional<std::string> Situation::value(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

Situation situation_of(const Facts& facts, const Knowledge& tables) {
    Situation situation;
    const std::vector<Gpu> gpus = gpus_of(facts, tables);
    add_system(situation, facts);
    add_gpus(situation, facts, gpus);
    add_driver_advice(situation, tables, gpus);
    return situation;
}

const std::vector<std::string>& situation_names() {
    static const std::vector<std::string> names = {
        "nvidia_gpu",  "nvidia_capable", "amd_capable", "capable",
        "wsl",         "container",      "engine",      "vm",
        "hypervisor",  "jetson",         "root",        "family",
        "distro",      "distro_version", "arch",        "kernel",
        "secure_boot", "nvswitch",       "open_module", "driver_branch",
        "open_suffix", "sudo",           "python",      "pip",
        "managed",     "env_python",     "env_pip"};
    return names;
}

Truth holds(const Situation& situation, std::string_view term) {
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return Truth::unknown;
    }
    const bool negated = term[equals - 1] == '!';
    const std::string_view name = term.substr(0, negated ? equals - 1 : equals);
    const std::optional<std::string> value = situation.value(name);
    if (!value) {
        return Truth::unknown;
    }
    const std::vector<std::string_view> wanted = split(term.substr(equals + 1), '|');
    const bool found = std::find(wanted.begin(), wanted.end(), *value) != wanted.end();
    return found != negated ? Truth::yes : Truth::no;
}

Truth all_hold(const Situation& situation, const std::vector<std::string>& terms) {
    Truth all = Truth::yes;
    for (const std::string& term : terms) {
        const Truth one = holds(situation, term);
        if (one == Truth::no) {
            return Truth::no;
        }
        if (one == Truth::unknown) {
            all = Truth::unknown;
        }
    }
    return all;
}

}  // namespace whygpu
