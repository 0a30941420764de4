#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/driver_state.h"
#include "units/registry.h"

// The nodes are made on demand: the driver libraries call the setuid helper nvidia-modprobe when they find
// none. On a server that nobody has used since it started, missing nodes are normal. So a missing node
// is a fault only after a library has failed for want of it.

namespace whygpu::rules::driver::device_nodes_missing {

namespace {

bool is_gpu_node(std::string_view path) {
    const std::optional<std::string_view> number = after_prefix(path, "/dev/nvidia");
    return number && parse_int(*number).has_value();
}

// CUDA_ERROR_UNKNOWN and CUDA_ERROR_OPERATING_SYSTEM. Other codes (no device, a version that does not fit)
// come before CUDA opens nvidia-uvm.
bool comes_from_missing_uvm(std::int64_t code) {
    return code == 999 || code == 304;
}

struct Nodes {
    bool control = false;
    bool gpu = false;
    bool uvm = false;
};

Nodes nodes_in(const std::vector<NodeFacts::Node>& list) {
    Nodes nodes;
    for (const NodeFacts::Node& node : list) {
        if (!node.path) {
            continue;
        }
        nodes.control = nodes.control || *node.path == "/dev/nvidiactl";
        nodes.uvm = nodes.uvm || *node.path == "/dev/nvidia-uvm";
        nodes.gpu = nodes.gpu || is_gpu_node(*node.path);
    }
    return nodes;
}

// What happened when CUDA's process opened the node.
const NodeError* open_error(const Facts& facts, const std::string& node) {
    if (!facts.cuda.node_errors) {
        return nullptr;
    }
    for (const NodeError& each : *facts.cuda.node_errors) {
        if (each.path.is(node) && each.error) {
            return &each;
        }
    }
    return nullptr;
}

Finding finding_for(const Facts& facts, const Nodes& nodes) {
    Finding finding;
    const bool only_uvm = nodes.control && nodes.gpu;
    const std::string node = !nodes.control ? "/dev/nvidiactl"
                             : !nodes.gpu   ? "/dev/nvidia0"
                                            : "/dev/nvidia-uvm";
    finding.subject = node;
    finding.variant = only_uvm ? "uvm" : "";
    finding.args = {{"node", node}, {"kind", only_uvm ? "uvm" : "all"}};
    const NvidiaFacts::ProcGpu& gpu = facts.nvidia.proc_gpus->front();
    finding.evidence = {
        {node, 0, "", "missing"},
        {facts.nvidia.proc_gpus.source().origin, 0, gpu.address ? *gpu.address : "", "served"}};
    finding.evidence.push_back(only_uvm ? evidence_of(facts.cuda.init_code, "cuda")
                                        : evidence_of(facts.nvml.init_code, "nvml"));
    if (const NodeError* error = open_error(facts, node)) {
        finding.evidence.push_back(evidence_of(error->error, "opened"));
    }
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (facts.cuda.init_code.is(0)) {
        return clear();
    }
    const Known<bool> loaded = nvidia_module_loaded(facts);
    if (!loaded) {
        return unknown({"modules.loaded"});
    }
    if (!*loaded) {
        return not_applicable("the NVIDIA module is not loaded");
    }
    if (surely_empty(facts.nvidia.proc_gpus)) {
        return not_applicable("the NVIDIA module serves no card");
    }
    if (!facts.nodes.nodes || !facts.nvidia.proc_gpus) {
        return unknown({facts.nodes.nodes ? "nvidia.proc_gpus" : "nodes.nodes"});
    }
    const Nodes nodes = nodes_in(*facts.nodes.nodes);
    const bool nvml_lacks_nodes = (!nodes.control || !nodes.gpu) && !facts.nvml.init_code.is(0);
    if (nvml_lacks_nodes) {
        return facts.nvml.init_code ? fired(finding_for(facts, nodes)) : unknown({"nvml.init_code"});
    }
    if (nodes.uvm) {
        return clear();
    }
    if (!facts.cuda.init_code) {
        return unknown({"cuda.init_code"});
    }
    if (!comes_from_missing_uvm(*facts.cuda.init_code)) {
        return not_applicable("CUDA fails for another reason");
    }
    return fired(finding_for(facts, Nodes{true, true, false}));
}

}  // namespace whygpu::rules::driver::device_nodes_missing
