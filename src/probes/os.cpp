#include <algorithm>
#include <array>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/platform.h"

namespace whygpu::probes::os {

namespace {

using Text = Known<std::string>;
using Names = std::vector<std::string>;

// ---- os-release ----

// A value as a shell would read it: quotes fall away, a backslash keeps the character behind it
// (in single quotes it is one itself).
std::string unquoted(std::string_view text) {
    const char quote = !text.empty() && (text[0] == '"' || text[0] == '\'') ? text[0] : '\0';
    std::string out;
    for (std::size_t at = quote == '\0' ? 0 : 1; at < text.size(); ++at) {
        if (text[at] == quote) {
            break;
        }
        if (text[at] == '\\' && quote != '\'' && at + 1 < text.size()) {
            ++at;
        }
        out += text[at];
    }
    return out;
}

// Distributions without /etc/os-release keep the file in /usr/lib, which is where the first is
// usually a link to.
Text os_release(Host& host) {
    const Text first = read_file(host, "/etc/os-release");
    if (first || first.why() != Missing::absent) {
        return first;
    }
    const Text second = read_file(host, "/usr/lib/os-release");
    return second ? second : first;
}

// The last assignment counts, as it does for a shell. Rolling distributions have no VERSION_ID.
Text assigned(const Text& content, const std::string& key) {
    if (!content) {
        return content;
    }
    Text found = Text::missing(Missing::absent, "no " + key + " in os-release", content.source());
    int number = 0;
    for (const std::string_view raw : lines_of(*content)) {
        ++number;
        const std::string_view line = trimmed(raw);
        const std::optional<std::string_view> value = after_prefix(line, key + "=");
        const std::string plain = value ? unquoted(*value) : "";
        if (!plain.empty()) {
            found = Text(plain, Source{content.source().origin, number, std::string(line)});
        }
    }
    return found;
}

void read_distribution(Host& host, OsFacts& os) {
    const Text content = os_release(host);
    os.id = assigned(content, "ID");
    os.like = assigned(content, "ID_LIKE");
    os.version = assigned(content, "VERSION_ID");
    os.name = assigned(content, "PRETTY_NAME");
    if (!os.name && content) {
        os.name = assigned(content, "NAME");
    }
}

// ---- hypervisor ----

// What the firmware tables say of the maker. A cloud sells bare metal under the same names, so that
// its row counts only where the CPU is said to be a virtual one.
struct MakerSign {
    std::string_view vendor;   // start of sys_vendor or board_vendor
    std::string_view product;  // part of product_name
    std::string_view name;
    bool cloud = false;
};
constexpr std::array maker_signs = {
    MakerSign{"VMware", "", "vmware"},
    MakerSign{"innotek", "", "virtualbox"},
    MakerSign{"", "VirtualBox", "virtualbox"},
    MakerSign{"Microsoft", "Virtual Machine", "microsoft"},
    MakerSign{"", "HVM domU", "xen"},
    MakerSign{"Amazon EC2", "", "amazon", true},
    MakerSign{"Google", "Compute Engine", "google", true},
    MakerSign{"", "KVM", "kvm", true},
    MakerSign{"QEMU", "", "qemu"},
};

struct Maker {
    Text vendor;
    Text product;
    Text board;
};

const MakerSign* sign_of(const Maker& maker) {
    const auto starts = [](const Text& text, std::string_view start) {
        return text && text->starts_with(start);
    };
    for (const MakerSign& sign : maker_signs) {
        const bool vendor =
            sign.vendor.empty() || starts(maker.vendor, sign.vendor) || starts(maker.board, sign.vendor);
        const bool product =
            sign.product.empty() || (maker.product && contains(*maker.product, sign.product));
        if (vendor && product) {
            return &sign;
        }
    }
    return nullptr;
}

Source source_of(const Maker& maker) {
    return maker.product  ? maker.product.source()
           : maker.vendor ? maker.vendor.source()
                          : maker.board.source();
}

// x86 CPUs show the flag `hypervisor` to guests. Other architectures have no line "flags".
Known<bool> virtual_cpu(Host& host) {
    const std::string path = "/proc/cpuinfo";
    const Text content = read_file(host, path);
    if (!content) {
        return Known<bool>::missing_like(content);
    }
    int number = 0;
    for (const std::string_view line : lines_of(*content)) {
        ++number;
        if (line.starts_with("flags")) {
            const std::vector<std::string_view> flags = words_of(line);
            const bool found = std::ranges::find(flags, "hypervisor") != flags.end();
            return Known<bool>(found,
                               Source{path, number, found ? "flags: hypervisor" : "flags: no hypervisor"});
        }
    }
    return Known<bool>::missing(Missing::unsupported, "this CPU has no flag for guests", {path, 0, ""});
}

// Firecracker gives its guests no DMI tables. Its ACPI tables carry its name and may be read by root;
// everyone sees the first parameters that it hands to kernels.
Text firecracker(Host& host, const Maker& maker) {
    constexpr std::size_t maker_offset = 10;
    const Text none = Text::missing(Missing::absent, "no sign of Firecracker");
    if (maker.vendor || maker.vendor.why() != Missing::absent) {
        return none;
    }
    const std::string table = "/sys/firmware/acpi/tables/FACP";
    const Text acpi = read_file(host, table);
    if (acpi && acpi->find("FIRECK") == maker_offset) {
        return Text("firecracker", Source{table, 0, "FIRECK"});
    }
    const Text parameters = read_value(host, "/proc/cmdline");
    const std::vector<std::string_view> words =
        parameters ? words_of(*parameters) : std::vector<std::string_view>();
    const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
    return has("reboot=k") && has("panic=1") ? Text("firecracker", parameters.source()) : none;
}

// A guest kernel offers the clock of the hypervisor it runs on.
Text named_by_clock(Host& host) {
    const Text clocks =
        read_value(host, "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    if (!clocks) {
        return clocks;
    }
    for (const auto& [clock, name] :
         {std::pair{"kvm-clock", "kvm"}, {"hyperv", "microsoft"}, {"xen", "xen"}}) {
        if (contains(*clocks, clock)) {
            return Text(name, clocks.source());
        }
    }
    return Text::missing(Missing::absent, "no hypervisor's clock", clocks.source());
}

// QEMU is the machine, KVM what runs its CPU; without KVM it only emulates.
Text named_by_maker(Host& host, const MakerSign& sign, const Maker& maker) {
    const Text clock = sign.name == "qemu" ? named_by_clock(host) : Text();
    return clock ? clock : Text(std::string(sign.name), source_of(maker));
}

Text guest_name(Host& host, const MakerSign* sign, const Maker& maker, const Known<bool>& guest) {
    for (const Text& name :
         {firecracker(host, maker), sign != nullptr ? named_by_maker(host, *sign, maker) : Text(),
          named_by_clock(host)}) {
        if (name) {
            return name;
        }
    }
    return Text("unknown-hypervisor", maker.product ? maker.product.source() : guest.source());
}

// Without a flag (ARM) only names are left: those of the firmware or of the device tree.
Text named_without_flag(Host& host, const MakerSign* sign, const Maker& maker, const Known<bool>& guest) {
    const bool metal = maker.product && contains(*maker.product, "metal");
    if (sign != nullptr && !metal) {
        return named_by_maker(host, *sign, maker);
    }
    const Text model = read_value(host, "/proc/device-tree/model");
    if (model && contains(*model, "dummy-virt")) {
        return Text("qemu", model.source());
    }
    if (maker.vendor || maker.product || maker.board) {
        return Text("none", source_of(maker));
    }
    return model ? Text("none", model.source()) : Text::missing_like(guest);
}

Text hypervisor(Host& host) {
    const std::string dmi = "/sys/class/dmi/id/";
    const Maker maker{read_value(host, dmi + "sys_vendor"), read_value(host, dmi + "product_name"),
                      read_value(host, dmi + "board_vendor")};
    const MakerSign* sign = sign_of(maker);
    // People hide the flag from guests that own a GPU, but seldom rename the machine.
    if (sign != nullptr && !sign->cloud) {
        return named_by_maker(host, *sign, maker);
    }
    const Text type = read_value(host, "/sys/hypervisor/type");
    if (type.is("xen")) {
        return type;
    }
    const Known<bool> guest = virtual_cpu(host);
    if (!guest) {
        return named_without_flag(host, sign, maker, guest);
    }
    return *guest ? guest_name(host, sign, maker, guest) : Text("none", guest.source());
}

// ---- Jetson ----

Known<bool> contains_word(const Text& content, std::string_view word) {
    if (content) {
        return Known<bool>(contains(*content, word), Source{content.source().origin, 0, std::string(word)});
    }
    return content.why() == Missing::absent ? Known<bool>(false, content.source())
                                            : Known<bool>::missing_like(content);
}

// Any of three signs will do; containers for Jetson see only some of them.
Known<bool> jetson(Host& host) {
    const std::vector<Known<bool>> signs = {
        exists(host, "/etc/nv_tegra_release"),
        contains_word(read_file(host, "/proc/device-tree/compatible"), "nvidia,tegra"),
        contains_word(read_file(host, "/sys/devices/soc0/family"), "Tegra"),
    };
    for (const Known<bool>& sign : signs) {
        if (sign.is(true)) {
            return sign;
        }
    }
    const auto unknown = std::ranges::find_if(signs, [](const Known<bool>& sign) { return !sign.known(); });
    return unknown == signs.end() ? signs.front() : *unknown;
}

// ---- the user ----

// /etc/group: "video:x:44:alice,bob". Groups of a directory server are not in it: their numbers stay.
std::map<std::string, std::string> group_names(Host& host) {
    std::map<std::string, std::string> names;
    const Text content = read_file(host, "/etc/group");
    if (!content) {
        return names;
    }
    for (const std::string_view line : lines_of(*content)) {
        const std::vector<std::string_view> fields = split(line, ':');
        if (fields.size() >= 3 && !fields[0].empty()) {
            names.emplace(fields[2], fields[0]);
        }
    }
    return names;
}

Known<Names> groups(Host& host, const Known<std::map<std::string, std::string>>& user) {
    if (!user) {
        return Known<Names>::missing_like(user);
    }
    const auto numbers = user->find("groups");
    if (numbers == user->end()) {
        return Known<Names>::missing(Missing::malformed, "no groups were named", user.source());
    }
    const std::map<std::string, std::string> names = group_names(host);
    Names out;
    for (const std::string_view number : split(numbers->second, ',')) {
        const auto name = names.find(std::string(number));
        if (!number.empty()) {
            out.push_back(name == names.end() ? std::string(number) : name->second);
        }
    }
    return Known<Names>(out, user.source());
}

Known<std::int64_t> user_id(const Known<std::map<std::string, std::string>>& user) {
    if (!user) {
        return Known<std::int64_t>::missing_like(user);
    }
    const auto found = user->find("uid");
    const std::optional<std::int64_t> id = found == user->end() ? std::nullopt : parse_int(found->second);
    return id ? Known<std::int64_t>(*id, user.source())
              : Known<std::int64_t>::missing(Missing::malformed, "no user id was named", user.source());
}

/// The mode in octal with its sticky bit: "1777".
std::string octal(int mode) {
    std::string text;
    for (int shift = 9; shift >= 0; shift -= 3) {
        text += static_cast<char>('0' + ((mode >> shift) & 7));
    }
    return text;
}

void read_shared_memory(Host& host, OsFacts& os) {
    constexpr const char* path = "/dev/shm";
    const Known<FileStatus> status = file_status(host, path);
    if (!status) {
        os.shm_mode = Known<std::string>::missing_like(status);
        os.shm_writable = Known<bool>::missing_like(status);
        return;
    }
    const Source source{path, 0, status->type + " mode=" + octal(status->mode)};
    os.shm_mode = Known<std::string>(octal(status->mode), source);
    os.shm_writable = Known<bool>(status->writable, source);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    OsFacts& os = facts.os;
    read_distribution(host, os);
    os.architecture = platform_value(host, "machine");
    os.hypervisor = hypervisor(host);
    os.jetson = jetson(host);
    const Known<std::map<std::string, std::string>> user = key_values(host, QueryKind::user);
    os.user_id = user_id(user);
    os.groups = groups(host, user);
    read_shared_memory(host, os);
}

}  // namespace whygpu::probes::os
