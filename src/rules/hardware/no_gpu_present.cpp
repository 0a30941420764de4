#include <algorithm>

#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/gpu_identity.h"
#include "units/registry.h"

namespace whygpu::rules::hardware::no_gpu_present {

namespace {

// Sandboxes such as gVisor show no PCI bus and yet pass the GPU's nodes in: then the empty bus says nothing.
bool nodes_contradict(const NodeFacts& nodes) {
    if (!nodes.nodes) {
        return false;
    }
    return std::any_of(nodes.nodes->begin(), nodes.nodes->end(), [](const NodeFacts::Node& node) {
        return node.path && (node.path->starts_with("/dev/nvidia") || *node.path == "/dev/kfd");
    });
}

std::string variant_for(const Facts& facts) {
    if (facts.container.inside.is(true)) {
        return "container";
    }
    if (facts.os.hypervisor && *facts.os.hypervisor != "none") {
        return "vm";
    }
    return facts.pci.gpus->empty() ? "" : "integrated";
}

std::vector<Evidence> evidence_for(const Facts& facts) {
    std::vector<Evidence> evidence;
    for (const PciFacts::Device& device : *facts.pci.gpus) {
        const bool named = device.name.known();
        evidence.push_back(named ? evidence_of(device.name, "adapter")
                                 : evidence_of(device.vendor_id, "unnamed-adapter"));
    }
    if (evidence.empty()) {
        const Source& bus = facts.pci.gpus.source();
        evidence.push_back({bus.origin.empty() ? "/sys/bus/pci/devices" : bus.origin, 0, "", "empty-bus"});
    }
    if (facts.toolkit.cuda && !facts.toolkit.cuda->empty()) {
        const ToolkitFacts::Install& toolkit = facts.toolkit.cuda->front();
        evidence.push_back(evidence_of(toolkit.path, "toolkit"));
    }
    return evidence;
}

Finding finding_for(const Facts& facts, const std::vector<Gpu>& gpus) {
    Finding finding;
    finding.variant = variant_for(facts);
    finding.subject = gpus.empty() ? "PCI bus" : gpus.front().address;
    finding.args["kind"] = finding.variant.empty() ? "plain" : finding.variant;
    finding.args["adapter"] = gpus.empty() ? "" : gpus.front().name;
    const bool torch_absent =
        !facts.python.torch_version.known() && facts.python.torch_version.why() == Missing::absent;
    finding.args["torch"] = facts.python.torch_version ? "installed" : torch_absent ? "absent" : "unknown";
    finding.evidence = evidence_for(facts);
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const std::vector<Gpu> gpus = gpus_of(facts, input.tables);
    if (std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.capable; })) {
        return clear();
    }
    if (std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.vendor == "nvidia"; })) {
        return not_applicable("there is an NVIDIA card, an old one");
    }
    if (nodes_contradict(facts.nodes)) {
        return unknown({"nvml.devices"});
    }
    return fired(finding_for(facts, gpus));
}

}  // namespace whygpu::rules::hardware::no_gpu_present
