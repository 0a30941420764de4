#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"

// What drivers print (NVIDIA's open kernel modules, nvswitch, amdgpu and nouveau have their sources in
// public):
//   NVRM: Xid (PCI:0000:3b:00 GPU-I:05): 13, pid=…, name=…, text      (no "PCI:" before 2014)
//   NVRM: GPU 0000:d8:00.0: RmInitAdapter failed! (0x26:0x56:1474)
//   nvidia-nvswitch3: SXid (PCI:0000:c3:00.0): 24007, Fatal, Link 40 …
//   amdgpu 0000:83:00.0: amdgpu: GPU reset begin!
//   pcieport 0000:00:01.0: AER: Multiple Uncorrectable (Fatal) error message received from 0000:01:00.0
// and what the kernel prints when it refuses a module. It does so mostly without naming the module.

namespace whygpu::probes::kernel_log {

namespace {

using Message = KernelLogFacts::Message;
using Messages = std::vector<Message>;
using Lines = std::vector<std::string_view>;

constexpr std::size_t messages_limit = 200;
constexpr std::size_t line_limit = 1000;
constexpr int neighbours_limit = 5;
constexpr int bus_messages_limit = 20;  // a bad link repeats itself thousands of times

// Without "[   12.345678] " and "[    T1] " in front. "[drm" belongs to the message.
std::string_view without_stamp(std::string_view line) {
    for (int stamps = 0; stamps < 2 && line.starts_with('['); ++stamps) {
        const std::size_t end = line.find(']');
        const char first = line.size() > 1 ? line[1] : '\0';
        if (end == std::string_view::npos || !(first == ' ' || (first >= '0' && first <= '9'))) {
            break;
        }
        line = trimmed(line.substr(end + 1));
    }
    return trimmed(line);
}

// ---- numbers in a line ----

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string_view hex_run(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && is_hex(text[end])) {
        ++end;
    }
    return text.substr(0, end);
}

// "0000:01:00", "0000:01:00.0" or "00000000:01:00.0" at the start of a text, as "0000:01:00.0".
std::optional<std::string> address_at(std::string_view text) {
    std::string_view domain = hex_run(text);
    const std::string_view rest = text.substr(domain.size());
    if (domain.size() < 4 || domain.size() > 8 || rest.size() < 6 || rest[0] != ':' || rest[3] != ':') {
        return std::nullopt;
    }
    const std::string_view bus = hex_run(rest.substr(1));
    const std::string_view device = hex_run(rest.substr(4));
    if (bus.size() != 2 || device.size() != 2) {
        return std::nullopt;
    }
    while (domain.size() > 4 && domain[0] == '0') {
        domain.remove_prefix(1);
    }
    const bool has_function = rest.size() > 7 && rest[6] == '.' && rest[7] >= '0' && rest[7] <= '7';
    return lower(domain) + ":" + lower(bus) + ":" + lower(device) + "." + (has_function ? rest[7] : '0');
}

Known<std::string> address_in(std::string_view line, const Source& source) {
    for (std::size_t at = 0; at < line.size(); ++at) {
        const bool starts = is_hex(line[at]) && (at == 0 || !is_hex(line[at - 1]));
        const std::optional<std::string> address = starts ? address_at(line.substr(at)) : std::nullopt;
        if (address) {
            return Known<std::string>(*address, source);
        }
    }
    return Known<std::string>::missing(Missing::absent, "the line names no PCI address", source);
}

// The number behind "Xid (…): ".
Known<std::int64_t> code_in(std::string_view line, const Source& source) {
    const std::size_t open = line.find("Xid (");
    const std::size_t close = open == std::string_view::npos ? open : line.find("): ", open);
    const std::string_view rest = close == std::string_view::npos ? "" : line.substr(close + 3);
    const std::optional<std::int64_t> code = parse_int(rest.substr(0, rest.find_first_not_of("0123456789")));
    return code ? Known<std::int64_t>(*code, source)
                : Known<std::int64_t>::missing(Missing::malformed, "no number behind Xid", source);
}

// ---- kinds of lines ----

bool has_trouble(std::string_view text) {
    constexpr std::array<std::string_view, 20> words = {
        "error",       "fail",      "timeout",      "timed out",   " fault",
        "_fault",      "unable",    "unknown chip", "unsupported", "not supp",
        "unavailable", "reset",     "vram is lost", "rejects",     "version magic",
        "unknown sym", "disagrees", "hung",         "fell behind", "fallback timer",
    };
    const std::string low = lower(text);
    return std::ranges::any_of(words, [&](std::string_view word) { return contains(low, word); });
}

// Refusals; not "module verification failed: … tainting kernel", after which the module is loaded.
bool is_refusal(std::string_view text) {
    const std::string low = lower(text);
    return (contains(low, "loading of ") && contains(low, " is rejected")) ||
           contains(low, "unsigned module loading is restricted") ||
           contains(low, "key was rejected by service") || contains(low, "required key not available");
}

// Lines that the modules of NVIDIA's driver begin; nvidia-gpu is the kernel's own driver for the USB-C
// port of a card.
bool is_from_nvidia(std::string_view text) {
    return text.starts_with("NVRM:") || (text.starts_with("nvidia") && !text.starts_with("nvidia-gpu") &&
                                         !text.starts_with("nvidia_wmi") && !text.starts_with("nvidiafb"));
}

// The module that a refusal names: "vboxdrv: loading of …", "Failed to insert module 'nvidia': …".
std::string_view refused_module(std::string_view text) {
    const std::size_t quote = text.find('\'');
    if (quote != std::string_view::npos) {
        return text.substr(quote + 1, text.find('\'', quote + 1) - quote - 1);
    }
    const std::size_t colon = text.find(": loading of ");
    return colon == std::string_view::npos ? "" : text.substr(0, colon);
}

// A module that taints the kernel was loaded: its line speaks against a refusal.
bool is_taint(std::string_view text) {
    return contains(text, "tainting kernel") || contains(text, "taints kernel");
}

// The nearest line on one side that is not another refusal without a name: several follow one another.
std::string_view neighbour(const Lines& lines, std::size_t index, bool before) {
    for (int steps = 0; steps < neighbours_limit; ++steps) {
        if (before ? index == 0 : index + 1 >= lines.size()) {
            return "";
        }
        index = before ? index - 1 : index + 1;
        const std::string_view text = without_stamp(lines[index]);
        if (!is_refusal(text) || !refused_module(text).empty()) {
            return text;
        }
    }
    return "";
}

// Whether a line is about the NVIDIA driver and not about its having been loaded.
bool suggests_nvidia(std::string_view text) {
    const std::string_view module = is_refusal(text) ? refused_module(text) : "";
    return module.empty() ? is_from_nvidia(text) && !is_taint(text) : module.starts_with("nvidia");
}

bool refuses_nvidia(const Lines& lines, std::size_t index) {
    const std::string_view text = without_stamp(lines[index]);
    return refused_module(text).empty() ? suggests_nvidia(neighbour(lines, index, true)) ||
                                              suggests_nvidia(neighbour(lines, index, false))
                                        : suggests_nvidia(text);
}

// Serial numbers, and the rows of the call history that follows an Xid 119 and would crowd out the rest.
bool is_noise(std::string_view text) {
    return text.starts_with("NVRM:    ") || text.starts_with("NVRM: GPU at PCI:") ||
           text.starts_with("NVRM: GPU Board Serial");
}

// Errors of a PCIe link that the kernel did not get over by itself, and a link that went down.
bool is_link_trouble(std::string_view text) {
    const bool reported = contains(text, "AER:") || contains(text, "PCIe Bus Error");
    const bool corrected = contains(text, "severity=Correct") || contains(text, "Corrected error");
    return (reported && !corrected) ||
           (contains(text, "pciehp") && (contains(text, "Link Down") || contains(text, "Card not present")));
}

// "pci 0000:01:00.0: BAR 1: no space for [mem size 0x400000000 64bit pref]", and since Linux 6.9
// "pci 0000:01:00.0: BAR 1 [mem size 0x400000000 64bit pref]: can't assign; no space".
bool is_bar_trouble(std::string_view text) {
    return text.starts_with("pci ") && contains(text, ": BAR ") &&
           (contains(text, "no space") || contains(text, "failed to assign"));
}

// A driver begins its lines with its name, the graphics core of the kernel those about it with "[drm".
bool is_from(std::string_view text, std::string_view driver) {
    return text.starts_with(driver) || (text.starts_with("[drm") && contains(text, driver));
}

// "" for a line that is none of ours.
std::string kind_of(const Lines& lines, std::size_t index) {
    const std::string_view text = without_stamp(lines[index]);
    if (is_refusal(text)) {
        return refuses_nvidia(lines, index) ? "module-rejected" : "";
    }
    if (contains(text, "SXid (")) {
        return "sxid";
    }
    if (contains(text, "NVRM: Xid")) {
        return "xid";
    }
    if (text.starts_with("NVRM:")) {
        return is_noise(text) ? "" : "nvrm";
    }
    if (is_link_trouble(text)) {
        return "pcie";
    }
    if (is_bar_trouble(text)) {
        return "pci-bar";
    }
    if (is_taint(text) || !has_trouble(text)) {
        return "";
    }
    if (is_from(text, "amdgpu") || text.starts_with("kfd kfd:") || text.starts_with("[drm] VRAM is lost")) {
        return "amdgpu";
    }
    if (is_from(text, "nouveau")) {
        return "nouveau";
    }
    return is_from_nvidia(text) || is_from(text, "nvidia-drm") || is_from(text, "nvidia_drm") ? "nvrm" : "";
}

Message message(const std::string& kind, std::string_view line, std::size_t index) {
    const std::string text(trimmed(line).substr(0, line_limit));
    const Source source{"kernel log", static_cast<int>(index) + 1, text};
    Message message;
    message.kind = Known<std::string>(kind, source);
    message.text = Known<std::string>(text, source);
    message.code = kind == "xid" || kind == "sxid"
                       ? code_in(line, source)
                       : Known<std::int64_t>::missing(Missing::absent, "this kind has no number", source);
    message.pci_address = address_in(line, source);
    return message;
}

}  // namespace

void probe(Host& host, Facts& facts) {
    Known<Messages>& messages = facts.kernel_log.messages;
    const Answer answer = host.answer({QueryKind::kernel_log, ""});
    if (answer.missing) {
        messages = missing_answer<Messages>(answer, "kernel log");
        return;
    }
    const Lines lines = lines_of(answer.text);
    if (trimmed(answer.text).empty()) {
        // Cleared, or a container's: no lines is not the same as no trouble.
        messages =
            Known<Messages>::missing(Missing::absent, "the kernel log is empty", {"kernel log", 0, ""});
        return;
    }
    Messages newest_first;
    int bus_messages = 0;
    for (std::size_t index = lines.size(); index > 0 && newest_first.size() < messages_limit; --index) {
        const std::string kind = kind_of(lines, index - 1);
        bus_messages += kind.starts_with("pci") ? 1 : 0;
        const bool too_many = kind.starts_with("pci") && bus_messages > bus_messages_limit;
        if (!kind.empty() && !too_many) {
            newest_first.push_back(message(kind, lines[index - 1], index - 1));
        }
    }
    std::ranges::reverse(newest_first);
    messages = Known<Messages>(newest_first, Source{"kernel log", 0, ""});
}

}  // namespace whygpu::probes::kernel_log
