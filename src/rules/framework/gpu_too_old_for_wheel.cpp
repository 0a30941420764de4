#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/wheel_code.h"
#include "units/registry.h"

namespace whygpu::rules::framework::gpu_too_old_for_wheel {

namespace {

Evidence device_line(const Facts& facts, const Gpu& gpu) {
    if (gpu.pci_index >= 0) {
        const PciFacts::Device& device = facts.pci.gpus->at(static_cast<std::size_t>(gpu.pci_index));
        return Evidence{*device.address, 0, device.name ? *device.name : gpu.name, "capability"};
    }
    return Evidence{"CUDA driver", 0, gpu.name, "capability"};
}

}  // namespace

Verdict check(const RuleInput& input) {
    const WheelCheck wheel = check_wheel_code(input.facts, input.tables);
    if (wheel.kind == WheelCheck::Kind::no_cuda_torch) {
        return not_applicable("no PyTorch with CUDA in the default Python");
    }
    if (wheel.kind == WheelCheck::Kind::unknown) {
        // The text is empty where the build's code is not known; else no driver told what the card is.
        return unknown({wheel.code_text.empty() ? "python.torch_version" : "cuda.devices"});
    }
    std::vector<Finding> findings;
    for (const Gpu& gpu : wheel.kind == WheelCheck::Kind::gap ? wheel.too_old : std::vector<Gpu>{}) {
        Finding finding;
        finding.subject = "torch " + wheel.torch->version_text;
        finding.args = wheel_code_args(wheel, gpu, input.facts, input.tables);
        finding.evidence = {evidence_of(input.facts.python.torch_version), device_line(input.facts, gpu)};
        finding.evidence.push_back(
            Evidence{"torch " + wheel.torch->version_text, 0, wheel.code_text, "code"});
        finding.confidence =
            wheel.torch->code->confidence == "primary" ? Confidence::certain : Confidence::likely;
        findings.push_back(std::move(finding));
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::framework::gpu_too_old_for_wheel
