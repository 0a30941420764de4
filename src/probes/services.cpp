#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/commands.h"

// Machines whose GPUs are joined by NVSwitch chips (HGX and DGX boards) need the Fabric Manager, of
// exactly the driver's version: without it CUDA does not start.

namespace whygpu::probes::services {

namespace {

using Text = Known<std::string>;
using Names = std::vector<std::string>;

constexpr std::size_t devices_limit = 8192;
// Chip sets of NVIDIA's nForce boards are bridges of the same class, with lower numbers.
constexpr std::uint64_t first_switch_id = 0x1000;

std::string hex_digits(const Text& value) {
    return value ? lower(after_prefix(*value, "0x").value_or(*value)) : "";
}

// What can be told of one device; missing when its files cannot be read.
Known<bool> is_switch(Host& host, const std::string& folder) {
    const Text kind = read_value(host, folder + "/class");
    if (!kind) {
        return Known<bool>::missing_like(kind);
    }
    if (!hex_digits(kind).starts_with("0680")) {
        return Known<bool>(false, kind.source());
    }
    const Text vendor = read_value(host, folder + "/vendor");
    if (!vendor) {
        return Known<bool>::missing_like(vendor);
    }
    const std::optional<std::uint64_t> device = parse_hex(hex_digits(read_value(host, folder + "/device")));
    const bool is_nvidia = hex_digits(vendor) == "10de";
    return Known<bool>(is_nvidia && (!device || *device >= first_switch_id), vendor.source());
}

Known<std::int64_t> count_switches(Host& host) {
    const std::string bus = "/sys/bus/pci/devices";
    const Known<Names> devices = list_directory(host, bus);
    if (!devices) {
        return Known<std::int64_t>::missing_like(devices);
    }
    Names found;
    for (std::size_t index = 0; index < std::min(devices->size(), devices_limit); ++index) {
        const std::string folder = bus + "/" + (*devices)[index];
        const Known<bool> here = is_switch(host, folder);
        // A device that left the bus while we looked is no reason to give up.
        if (!here && here.why() != Missing::absent) {
            return Known<std::int64_t>::missing_like(here);
        }
        if (here.is(true)) {
            found.push_back((*devices)[index]);
        }
    }
    return Known<std::int64_t>(static_cast<std::int64_t>(found.size()), Source{bus, 0, join(found, " ")});
}

// "LoadState=loaded" and "ActiveState=active", a line each.
Text service_state(Host& host) {
    const Known<CommandOutput> output = run_command(host, std::string(command::fabric_manager_state));
    if (!output) {
        return Text::missing_like(output);
    }
    std::string load;
    std::string active;
    for (const std::string_view line : lines_of(output->text)) {
        load = after_prefix(trimmed(line), "LoadState=").value_or(load);
        active = after_prefix(trimmed(line), "ActiveState=").value_or(active);
    }
    const Source source{output.source().origin, 0, "LoadState=" + load + " ActiveState=" + active};
    if (load == "not-found") {
        return Text("not-installed", source);
    }
    if (load.empty() || active.empty()) {
        // In a container: "System has not been booted with systemd as init system".
        const std::vector<std::string_view> lines = lines_of(output->text);
        const std::string said(lines.empty() ? "nothing" : trimmed(lines.front()).substr(0, 120));
        return Text::missing(Missing::unsupported, "systemctl said: " + said, output.source());
    }
    return Text(active, source);
}

// "Fabric Manager version is : 550.54.15"
Text installed_version(Host& host) {
    const Known<CommandOutput> output = run_command(host, std::string(command::fabric_manager_version));
    if (!output) {
        return Text::missing_like(output);
    }
    for (const std::string_view line : lines_of(output->text)) {
        for (const std::string_view word : words_of(line)) {
            const std::optional<Version> version = Version::parse(word);
            if (version && version->major() >= 100 && contains(word, ".")) {
                return Text(std::string(word), Source{output.source().origin, 0, std::string(trimmed(line))});
            }
        }
    }
    return Text::missing(Missing::malformed, "its answer holds no version", output.source());
}

}  // namespace

void probe(Host& host, Facts& facts) {
    ServiceFacts& services = facts.services;
    services.nvswitch_count = count_switches(host);
    if (!services.nvswitch_count) {
        services.fabric_manager = Text::missing_like(services.nvswitch_count);
        services.fabric_manager_version = Text::missing_like(services.nvswitch_count);
        return;
    }
    if (services.nvswitch_count.is(0)) {
        const Text none =
            Text::missing(Missing::absent, "no NVSwitch here", services.nvswitch_count.source());
        services.fabric_manager = none;
        services.fabric_manager_version = none;
        return;
    }
    services.fabric_manager = service_state(host);
    services.fabric_manager_version = installed_version(host);
}

}  // namespace whygpu::probes::services
