#include <algorithm>
#include <limits>
#include <map>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"

namespace whygpu::probes::amd {

namespace {

using Node = AmdFacts::Node;
using Properties = std::map<std::string, std::int64_t>;

constexpr const char* topology = "/sys/class/kfd/kfd/topology/nodes";
constexpr std::size_t nodes_limit = 256;
constexpr std::size_t banks_limit = 64;

/// "name value" lines; those whose value is no number of 64 bits are left out.
Known<Properties> read_properties(Host& host, const std::string& path) {
    const Known<std::string> content = read_file(host, path);
    if (!content) {
        return Known<Properties>::missing_like(content);
    }
    Properties properties;
    for (std::string_view line : lines_of(*content)) {
        const std::vector<std::string_view> words = words_of(line);
        const std::optional<std::int64_t> value = words.size() == 2 ? parse_int(words[1]) : std::nullopt;
        if (value) {
            properties.emplace(words[0], *value);
        }
    }
    return {std::move(properties), content.source()};
}

std::int64_t value_at(const Properties& properties, const std::string& name, std::int64_t otherwise) {
    const auto found = properties.find(name);
    return found == properties.end() ? otherwise : found->second;
}

/// The kernel writes 9.0.10 as 90010; compilers call it gfx90a: major decimal, minor and stepping in
/// one hexadecimal digit each.
std::string gfx_name(std::int64_t version) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto digit = [&](std::int64_t value) {
        return digits[static_cast<std::size_t>(value) % digits.size()];
    };
    return "gfx" + std::to_string(version / 10000) + digit(version / 100 % 100) + digit(version % 100);
}

Known<std::string> gfx_of(const Properties& properties, const Source& source) {
    constexpr std::int64_t largest = 999999;
    const std::int64_t version = value_at(properties, "gfx_target_version", -1);
    if (version < 0) {
        return Known<std::string>::missing(Missing::absent, "this kernel does not write gfx_target_version",
                                           source);
    }
    if (version > largest || version / 100 % 100 > 15 || version % 100 > 15) {
        return Known<std::string>::missing(Missing::malformed, "no gfx target: " + std::to_string(version),
                                           source);
    }
    return {gfx_name(version), Source{source.origin, 0, "gfx_target_version " + std::to_string(version)}};
}

/// The sum of the banks on the card: heap types 1 and 2 are memory that the host sees and does not
/// see; the others are caches, doorbells and system memory.
Known<std::int64_t> local_memory(Host& host, const std::string& node) {
    const std::string folder = node + "/mem_banks";
    const Known<std::vector<std::string>> banks = list_directory(host, folder);
    if (!banks) {
        return Known<std::int64_t>::missing_like(banks);
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < std::min(banks->size(), banks_limit); ++i) {
        const Known<Properties> bank = read_properties(host, folder + "/" + (*banks)[i] + "/properties");
        if (!bank) {
            return Known<std::int64_t>::missing_like(bank);
        }
        const std::int64_t heap = value_at(*bank, "heap_type", 0);
        const std::int64_t size = value_at(*bank, "size_in_bytes", -1);
        if (heap != 1 && heap != 2) {
            continue;
        }
        if (size < 0 || size > std::numeric_limits<std::int64_t>::max() - sum) {
            return Known<std::int64_t>::missing(Missing::malformed, "no size_in_bytes", bank.source());
        }
        sum += size;
    }
    if (sum == 0) {
        return Known<std::int64_t>::missing(Missing::absent, "no bank of local memory", {folder, 0, ""});
    }
    return {sum, Source{folder, 0, std::to_string(sum) + " bytes in banks of heap type 1 and 2"}};
}

Known<std::string> name_of_node(Host& host, const std::string& node) {
    const Known<std::string> name = read_file(host, node + "/name");
    if (name && trimmed(*name).empty()) {
        return Known<std::string>::missing(Missing::absent, "the kernel gives it no name", name.source());
    }
    return name ? Known<std::string>(std::string(trimmed(*name)), Source{name.source().origin, 1, *name})
                : name;
}

/// Processors are nodes, too, with target 0; kernels before gfx_target_version tell them by their
/// lack of SIMD units.
bool is_processor(const Properties& properties) {
    return value_at(properties, "gfx_target_version", value_at(properties, "simd_count", 0)) == 0;
}

}  // namespace

void probe(Host& host, Facts& facts) {
    using Nodes = std::vector<Node>;
    facts.amd.module_version = read_value(host, "/sys/module/amdgpu/version");
    const Known<std::vector<std::string>> names = list_directory(host, topology);
    if (!names) {
        facts.amd.kfd_nodes = Known<Nodes>::missing_like(names);
        return;
    }
    Nodes nodes;
    Known<Nodes> unread(Nodes{}, Source{topology, 0, ""});
    for (std::size_t i = 0; i < std::min(names->size(), nodes_limit); ++i) {
        const std::string path = std::string(topology) + "/" + (*names)[i];
        const Known<Properties> properties = read_properties(host, path + "/properties");
        // The kernel refuses the properties of a GPU, never of a processor, to a process that the device
        // rules of its container keep from the card. So a refused node is a GPU of which no more is known.
        const bool refused = properties.why() == Missing::denied && !properties;
        if (!properties && !refused && properties.why() != Missing::absent) {
            unread = Known<Nodes>::missing_like(properties);
        }
        if (!refused && (!properties || is_processor(*properties))) {
            continue;
        }
        Node node;
        node.gfx = properties ? gfx_of(*properties, properties.source())
                              : Known<std::string>::missing_like(properties);
        node.name = name_of_node(host, path);
        node.memory_bytes = local_memory(host, path);
        nodes.push_back(std::move(node));
    }
    facts.amd.kfd_nodes = nodes.empty() ? unread : Known<Nodes>(std::move(nodes), Source{topology, 0, ""});
}

}  // namespace whygpu::probes::amd
