#include "knowledge/torch_advice.h"

#include <algorithm>

#include "facts/facts.h"
#include "knowledge/amd.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/installed_torch.h"
#include "knowledge/knowledge.h"

namespace whygpu {

namespace {

constexpr std::string_view wheel_host = "https://download.pytorch.org/";

// Old releases are found through a page of links instead of an index.
std::string index_option(std::string_view form, std::string_view path) {
    const char* option = form == "find_links"        ? "-f "
                         : form == "extra_index_url" ? "--extra-index-url "
                                                     : "--index-url ";
    return std::string(option) + std::string(wheel_host) + std::string(path);
}

bool has_package(const Facts& facts, std::string_view name) {
    if (!facts.python.packages) {
        return false;
    }
    return std::any_of(
        facts.python.packages->begin(), facts.python.packages->end(),
        [&](const PythonFacts::Package& package) { return package.name.is(std::string(name)); });
}

// A torchaudio that is there has to change with torch, or it will not load any more.
std::string audio_requirement(const Facts& facts, const Knowledge& tables, const Version& torch) {
    const std::string audio = has_package(facts, "torchaudio") ? torchaudio_for(tables, torch) : "";
    return audio.empty() ? "" : " torchaudio==" + audio;
}

std::string requirements(const Facts& facts, const Knowledge& tables, const WheelChoice& choice) {
    const bool tagged = choice.index_form != "index_url";
    const std::string local = tagged ? "+" + choice.tag : "";
    std::string text = "torch==" + choice.torch.text() + local;
    if (!choice.torchvision.empty()) {
        text += " torchvision==" + choice.torchvision + local;
    }
    if (const std::string audio = audio_requirement(facts, tables, choice.torch); !audio.empty()) {
        text += audio + local;
    }
    return text + " " + index_option(choice.index_form, choice.index_path);
}

std::string undo_of(const Facts& facts, const Knowledge& tables) {
    const std::optional<InstalledTorch> torch = installed_torch(facts, tables);
    if (!torch) {
        return "";
    }
    const std::string tag = !torch->version.local.empty() ? torch->version.local : torch->tag;
    const std::string index = tag.empty() ? "" : " --index-url " + std::string(wheel_host) + "whl/" + tag;
    const std::string vision = torchvision_for(tables, torch->version.release);
    return "torch==" + torch->version.release.text() + (vision.empty() ? "" : " torchvision==" + vision) +
           audio_requirement(facts, tables, torch->version.release) + index;
}

}  // namespace

std::map<std::string, std::string> torch_advice(const Facts& facts, const Knowledge& tables, const Gpu& gpu) {
    std::map<std::string, std::string> args;
    if (const std::string undo = undo_of(facts, tables); !undo.empty()) {
        args["torch_undo"] = undo;
    }
    if (gpu.vendor == "amd") {
        if (const std::optional<RocmChoice> rocm = newest_rocm_torch_for(tables, gpu.gfx)) {
            args["torch_new"] = rocm->series.text();
            args["tag_new"] = rocm->tag;
            args["torch_install"] =
                "torch torchvision --index-url " + std::string(wheel_host) + rocm->index_path;
        }
        return args;
    }
    if (!gpu.compute_capability) {
        return args;
    }
    if (const std::optional<WheelChoice> choice = torch_for_machine(facts, tables, *gpu.compute_capability)) {
        args["torch_new"] = choice->torch.text();
        args["tag_new"] = choice->tag;
        args["torch_install"] = requirements(facts, tables, *choice);
        args["advice"] = "wheel";
    } else if (newest_torch_for(tables, *gpu.compute_capability, std::nullopt, torch_platform(facts),
                                std::nullopt)) {
        args["advice"] = "driver";
    }
    return args;
}

}  // namespace whygpu
