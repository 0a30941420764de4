#include "host/pci_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "host/descriptor.h"
#include "host/files.h"

// pci.ids (https://pci-ids.ucw.cz): "10de  NVIDIA Corporation" starts a vendor, a line with one tab
// is a device of it, one with two tabs a subsystem. After the vendors come classes ("C 03  …").

namespace whygpu {

namespace {

constexpr std::array<const char*, 3> places = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids",
                                               "/usr/share/pci.ids"};

bool is_id(std::string_view text) {
    return text.size() == 4 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The text from the line on that starts with `start`; empty when none does.
std::string_view line_starting(std::string_view text, const std::string& start) {
    const std::size_t at = text.find("\n" + start);
    if (at == std::string_view::npos) {
        return {};
    }
    return text.substr(at + 1);
}

}  // namespace

std::string pci_name_in(std::string_view pci_ids, std::string_view vendor, std::string_view device) {
    std::string_view entries = line_starting(pci_ids, std::string(vendor) + "  ");
    if (entries.empty()) {
        return "";
    }
    const std::string start = "\t" + std::string(device) + "  ";
    entries.remove_prefix(std::min(entries.find('\n'), entries.size()));
    while (!entries.empty()) {
        entries.remove_prefix(1);  // the end of the line before
        const std::string_view line = entries.substr(0, entries.find('\n'));
        if (const std::optional<std::string_view> name = after_prefix(line, start)) {
            return std::string(trimmed(*name));
        }
        if (!line.empty() && line[0] != '\t' && line[0] != '#') {
            return "";  // the next vendor
        }
        entries.remove_prefix(line.size());
    }
    return "";
}

Answer read_pci_name(const std::string& vendor_and_device) {
    const std::string id = lower(vendor_and_device);
    if (id.size() != 9 || id[4] != ':' || !is_id(id.substr(0, 4)) || !is_id(id.substr(5))) {
        return missing_answer(Missing::malformed, "no PCI vendor and device id");
    }
    for (const char* place : places) {
        const Descriptor file(open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
        if (!file.valid()) {
            continue;
        }
        Answer answer = content_of(file);
        if (answer.missing) {
            return answer;
        }
        const std::string name = pci_name_in("\n" + answer.text, id.substr(0, 4), id.substr(5));
        if (name.empty()) {
            return missing_answer(Missing::absent, "not listed in " + std::string(place));
        }
        answer.text = name;
        answer.truncated = false;
        return answer;
    }
    return missing_answer(Missing::absent, "this machine has no pci.ids");
}

}  // namespace whygpu
