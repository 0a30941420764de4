#include "judge/assume.h"

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "base/version.h"
#include "facts/access.h"
#include "knowledge/cuda.h"
#include "knowledge/nvidia.h"
#include "knowledge/torch.h"

namespace whygpu {

namespace {

template <class T>
Known<T> assumed(T value) {
    return Known<T>(std::move(value), Source{"assumed", 0, ""});
}

Known<std::string> assumed_text(std::string value) {
    Source source{"assumed", 0, value};
    return Known<std::string>(std::move(value), std::move(source));
}

void add_name(Known<std::vector<std::string>>& list, const std::string& name) {
    std::vector<std::string> names = list ? *list : std::vector<std::string>{};
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
    }
    list = assumed(std::move(names));
}

void make_nodes_usable(Facts& facts) {
    if (!facts.nodes.nodes) {
        return;
    }
    std::vector<NodeFacts::Node> nodes = *facts.nodes.nodes;
    for (NodeFacts::Node& node : nodes) {
        node.usable = assumed(true);
    }
    facts.nodes.nodes = assumed(std::move(nodes));
}

void add_node(std::vector<NodeFacts::Node>& nodes, const std::string& path) {
    const bool there = std::any_of(nodes.begin(), nodes.end(),
                                   [&](const NodeFacts::Node& node) { return node.path.is(path); });
    if (!there) {
        nodes.push_back({assumed_text(path), assumed_text("0666"), assumed_text("root"), assumed(true)});
    }
}

// NVIDIA's cards under NVIDIA's driver.
void bind_cards(Facts& facts) {
    if (!facts.pci.gpus) {
        return;
    }
    std::vector<PciFacts::Device> devices = *facts.pci.gpus;
    for (PciFacts::Device& device : devices) {
        if (device.vendor_id.is("10de")) {
            device.driver = assumed_text("nvidia");
        }
    }
    facts.pci.gpus = assumed(std::move(devices));
}

void build_module(Facts& facts) {
    const std::string kernel = facts.kernel.release ? *facts.kernel.release : "running";
    add_name(facts.modules.nvidia_available, "/lib/modules/" + kernel + "/updates/dkms/nvidia.ko");
}

Result<void> assume_driver(Facts& facts, const Knowledge& tables, const std::string& text) {
    const std::optional<Version> version = Version::parse(text);
    if (!version) {
        return fail(ErrorCode::invalid_input, "driver.version: " + text + " is no version such as 580.95.05");
    }
    facts.nvidia.kernel_version = assumed_text(text);
    facts.nvidia.library_version = assumed_text(text);
    facts.nvidia.library_file = assumed_text("libcuda.so." + text);
    facts.nvml.driver_version = assumed_text(text);
    facts.nvml.init_code = assumed<std::int64_t>(0);
    facts.cuda.init_code = assumed<std::int64_t>(0);
    facts.modules.nvidia_version = assumed_text(text);
    for (const char* const module : {"nvidia", "nvidia_uvm"}) {
        add_name(facts.modules.loaded, module);
    }
    if (const std::optional<Version> cuda = cuda_served_by_driver(tables, *version)) {
        facts.cuda.driver_cuda = assumed_text(cuda->text());
        facts.nvml.driver_cuda = facts.cuda.driver_cuda;
    }
    build_module(facts);
    bind_cards(facts);
    std::vector<NodeFacts::Node> nodes =
        facts.nodes.nodes ? *facts.nodes.nodes : std::vector<NodeFacts::Node>{};
    for (const char* const path : {"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"}) {
        add_node(nodes, path);
    }
    facts.nodes.nodes = assumed(std::move(nodes));
    return {};
}

// "cu128" → "12.8"; "none" for anything else.
std::string cuda_of_tag(std::string_view local) {
    const std::optional<std::string_view> digits = after_prefix(local, "cu");
    if (!digits || digits->size() < 3 || !parse_int(*digits)) {
        return "none";
    }
    return std::string(digits->substr(0, digits->size() - 1)) + "." +
           std::string(digits->substr(digits->size() - 1));
}

// The packages as the fix leaves them: torch and its companions of one series, their own requirements met.
void assume_companions(Facts& facts, const Knowledge& tables, const std::string& text,
                       const PythonVersion& version) {
    if (!facts.python.packages) {
        return;
    }
    const std::map<std::string, std::string> companions = {
        {"torch", text},
        {"torchvision", torchvision_for(tables, version.release)},
        {"torchaudio", torchaudio_for(tables, version.release)}};
    std::vector<PythonFacts::Package> packages;
    for (PythonFacts::Package package : *facts.python.packages) {
        const auto companion = package.name ? companions.find(*package.name) : companions.end();
        if (companion == companions.end()) {
            packages.push_back(package);
            continue;
        }
        if (companion->second.empty()) {
            continue;  // no release is known to fit: nothing can be said of it
        }
        const std::string local = companion->first == "torch" ? "" : "+" + version.local;
        package.version = assumed_text(companion->second + local);
        package.requirements = assumed(std::vector<std::string>{});
        packages.push_back(package);
    }
    facts.python.packages = assumed(std::move(packages));
}

Result<void> assume_torch(Facts& facts, const Knowledge& tables, const std::string& text) {
    const std::optional<PythonVersion> version = PythonVersion::parse(text);
    if (!version || version->local.empty()) {
        return fail(ErrorCode::invalid_input, "torch: " + text + " is no version such as 2.7.1+cu128");
    }
    facts.python.torch_version = assumed_text(text);
    facts.python.torch_cuda = assumed_text(cuda_of_tag(version->local));
    const bool rocm = version->local.starts_with("rocm");
    assume_companions(facts, tables, text, *version);
    facts.python.torch_hip = assumed_text(rocm ? version->local.substr(4) : "none");
    return {};
}

Result<void> assume_gpu(Facts& facts, const Knowledge& tables, const std::string& name) {
    const std::optional<Card> card = card_by_name(tables, name);
    if (!card || !card->compute_capability) {
        return fail(ErrorCode::not_found, "gpu: no card of exactly this name is in the tables: " + name);
    }
    PciFacts::Device device;
    device.address = assumed_text("0000:01:00.0");
    device.vendor_id = assumed_text("10de");
    device.device_id = assumed_text("ffff");
    device.class_code = assumed_text("030000");
    device.name = assumed_text(card->chip + " [" + card->name + "]");
    device.driver = assumed_text("nvidia");
    std::vector<PciFacts::Device> devices = {device};
    for (const PciFacts::Device& other : facts.pci.gpus ? *facts.pci.gpus : std::vector<PciFacts::Device>{}) {
        if (!other.vendor_id.is("10de")) {
            devices.push_back(other);
        }
    }
    facts.pci.gpus = assumed(std::move(devices));
    facts.nvidia.proc_gpus = assumed(std::vector<NvidiaFacts::ProcGpu>{});
    facts.nvml.devices = assumed(std::vector<NvmlFacts::Device>{});
    CudaFacts::Device seen;
    seen.name = assumed_text(card->name);
    seen.compute_capability = assumed_text(card->compute_capability->text());
    seen.pci_address = device.address;
    facts.cuda.devices = assumed(std::vector<CudaFacts::Device>{seen});
    return {};
}

Result<void> assume_kernel(Facts& facts, const std::string& release) {
    facts.kernel.release = assumed_text(release);
    facts.modules.nvidia_available = assumed(std::vector<std::string>{});
    build_module(facts);
    return {};
}

Result<void> assume_unset(Facts& facts, const std::string& name) {
    if (!facts.environment.variables) {
        return {};
    }
    std::vector<EnvironmentFacts::Variable> kept;
    for (const EnvironmentFacts::Variable& variable : *facts.environment.variables) {
        if (!variable.name.is(name)) {
            kept.push_back(variable);
        }
    }
    facts.environment.variables = assumed(std::move(kept));
    return {};
}

// {"section": {"field": value}} for assign_facts.
Result<void> assume_fact(Facts& facts, std::string_view path, const std::string& text) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) {
        return fail(
            ErrorCode::invalid_input,
            "nothing to assume is called " + std::string(path) +
                " (driver.version, torch, gpu, kernel, unset, nodes, or a fact such as kernel.secure_boot)");
    }
    const Result<Json> parsed = parse_toml("value = " + text);
    for (const Json& value :
         {parsed && parsed->find("value") != nullptr ? *parsed->find("value") : Json(text), Json(text)}) {
        Json described = Json::object();
        described.set("value", value).set("source", "assumed").set("text", text);
        Json fields = Json::object();
        fields.set(path.substr(dot + 1), described);
        Json tree = Json::object();
        tree.set(path.substr(0, dot), fields);
        Result<void> assigned = assign_facts(facts, tree);
        if (assigned || value == Json(text)) {
            return assigned;
        }
    }
    return {};
}

}  // namespace

Result<void> assume(Facts& facts, const Knowledge& tables, std::string_view term) {
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return fail(ErrorCode::invalid_input, "--assume needs KEY=VALUE, not " + std::string(term));
    }
    const std::string_view key = trimmed(term.substr(0, equals));
    const std::string value(trimmed(term.substr(equals + 1)));
    if (key == "driver.version") {
        return assume_driver(facts, tables, value);
    }
    if (key == "torch") {
        return assume_torch(facts, tables, value);
    }
    if (key == "gpu") {
        return assume_gpu(facts, tables, value);
    }
    if (key == "kernel") {
        return assume_kernel(facts, value);
    }
    if (key == "unset") {
        return assume_unset(facts, value);
    }
    if (key == "nodes" && value == "usable") {
        make_nodes_usable(facts);
        return {};
    }
    return assume_fact(facts, key, value);
}

}  // namespace whygpu
