#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/paths.h"

namespace whygpu::probes::pci {

namespace {

using Device = PciFacts::Device;

constexpr const char* bus = "/sys/bus/pci/devices";
constexpr std::size_t id_digits = 4;
constexpr std::size_t class_digits = 6;

/// "0x10de" as "10de"; malformed for anything but that many hexadecimal digits.
Known<std::string> hex_value(Host& host, const std::string& path, std::size_t digits) {
    const Known<std::string> value = read_value(host, path);
    if (!value) {
        return value;
    }
    const std::string number = lower(after_prefix(*value, "0x").value_or(*value));
    if (number.size() != digits || !parse_hex(number)) {
        return Known<std::string>::missing(
            Missing::malformed, "no " + std::to_string(digits) + " hexadecimal digits", value.source());
    }
    return {number, value.source()};
}

Known<std::string> subsystem(Host& host, const std::string& directory) {
    const Known<std::string> vendor = hex_value(host, directory + "/subsystem_vendor", id_digits);
    const Known<std::string> device = hex_value(host, directory + "/subsystem_device", id_digits);
    if (!vendor || !device) {
        return vendor ? device : vendor;
    }
    return {*vendor + ":" + *device, vendor.source()};
}

Known<std::string> driver(Host& host, const std::string& directory) {
    const std::string link = directory + "/driver";
    const Known<std::string> target = link_target(host, link);
    if (!target && target.why() == Missing::absent) {
        return Known<std::string>::missing(Missing::absent, "no driver bound", {link, 0, ""});
    }
    if (!target) {
        return target;
    }
    return {last_part_of(*target), Source{link, 0, *target}};
}

/// The kernel writes 0 or 255 where the device has no PCIe link of its own.
Known<std::int64_t> link_width(Host& host, const std::string& path) {
    const Known<std::int64_t> lanes = read_number(host, path);
    if (lanes.is(0) || lanes.is(255)) {
        return Known<std::int64_t>::missing(Missing::unsupported, "the device reports no link width",
                                            lanes.source());
    }
    return lanes;
}

/// "16.0 GT/s PCIe", "8 GT/s" of older kernels, "Unknown" or "Unknown speed".
Known<double> link_speed(Host& host, const std::string& path) {
    const Known<std::string> value = read_value(host, path);
    if (!value) {
        return Known<double>::missing_like(value);
    }
    if (value->starts_with("Unknown")) {
        return Known<double>::missing(Missing::unsupported, "the device reports no link speed",
                                      value.source());
    }
    const std::vector<std::string_view> words = words_of(*value);
    const std::optional<double> speed =
        words.size() < 2 || words[1] != "GT/s" ? std::nullopt : parse_double(words[0]);
    if (!speed) {
        return Known<double>::missing(Missing::malformed, "no speed in GT/s", value.source());
    }
    return {*speed, value.source()};
}

/// "0000:00:01.0" and not "pci0000:00", the root complex.
bool is_pci_address(std::string_view name) {
    return !name.starts_with("pci") && contains(name, ":") && contains(name, ".");
}

/// The port above the card lies above it in /sys/devices, too:
/// ../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0
Known<std::int64_t> slot_width(Host& host, const std::string& address) {
    const std::string directory = std::string(bus) + "/" + address;
    const Known<std::string> place = link_target(host, directory);
    if (!place) {
        return Known<std::int64_t>::missing_like(place);
    }
    if (link_target(host, directory + "/physfn")) {
        return Known<std::int64_t>::missing(Missing::absent, "a virtual function has no slot",
                                            place.source());
    }
    const std::size_t devices = place->find("devices/");
    const std::string port = parent_of(*place);
    if (devices == std::string::npos || !is_pci_address(last_part_of(port))) {
        return Known<std::int64_t>::missing(Missing::absent, "no port above the device", place.source());
    }
    return link_width(host, "/sys/" + port.substr(devices) + "/max_link_width");
}

Known<std::string> name_in_pci_ids(Host& host, const Device& device) {
    if (!device.vendor_id || !device.device_id) {
        return Known<std::string>::missing_like(device.vendor_id ? device.device_id : device.vendor_id);
    }
    const std::string id = *device.vendor_id + ":" + *device.device_id;
    const Answer answer = host.answer({QueryKind::pci_name, id});
    if (answer.missing) {
        return missing_answer<std::string>(answer, "pci.ids " + id);
    }
    const std::string name(trimmed(answer.text));
    if (name.empty()) {
        return Known<std::string>::missing(Missing::absent, "pci.ids does not name it",
                                           {"pci.ids " + id, 0, ""});
    }
    return {name, Source{"pci.ids " + id, 0, name}};
}

Device device_at(Host& host, const std::string& address, const Known<std::string>& class_code) {
    const std::string directory = std::string(bus) + "/" + address;
    Device device;
    device.address = Known<std::string>(address, Source{directory, 0, address});
    device.class_code = class_code;
    device.vendor_id = hex_value(host, directory + "/vendor", id_digits);
    device.device_id = hex_value(host, directory + "/device", id_digits);
    device.subsystem_id = subsystem(host, directory);
    device.name = name_in_pci_ids(host, device);
    device.driver = driver(host, directory);
    device.link_width = link_width(host, directory + "/current_link_width");
    device.link_width_max = link_width(host, directory + "/max_link_width");
    device.link_speed_gts = link_speed(host, directory + "/current_link_speed");
    device.link_speed_max_gts = link_speed(host, directory + "/max_link_speed");
    device.slot_width_max = slot_width(host, address);
    device.numa_node = read_number(host, directory + "/numa_node");
    device.iommu_type = read_value(host, directory + "/iommu_group/type");
    device.removable = read_value(host, directory + "/removable");
    return device;
}

}  // namespace

// Servers have hundreds of PCI functions: all but the GPUs cost one read.
void probe(Host& host, Facts& facts) {
    using Devices = std::vector<Device>;
    const Known<std::vector<std::string>> addresses = list_directory(host, bus);
    if (!addresses) {
        facts.pci.gpus = Known<Devices>::missing_like(addresses);
        return;
    }
    Devices gpus;
    Known<std::string> unread;
    bool all_read = true;
    for (const std::string& address : *addresses) {
        const Known<std::string> class_code =
            hex_value(host, std::string(bus) + "/" + address + "/class", class_digits);
        if (!class_code && class_code.why() != Missing::absent) {
            all_read = false;
            unread = class_code;
        }
        if (class_code && (class_code->starts_with("03") || class_code->starts_with("12"))) {
            gpus.push_back(device_at(host, address, class_code));
        }
    }
    // No GPU among the devices that could be read is not the same as no GPU.
    facts.pci.gpus = gpus.empty() && !all_read ? Known<Devices>::missing_like(unread)
                                               : Known<Devices>(std::move(gpus), Source{bus, 0, ""});
}

}  // namespace whygpu::probes::pci
