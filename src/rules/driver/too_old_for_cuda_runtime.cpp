#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/cuda.h"
#include "knowledge/driver_state.h"
#include "knowledge/installed_torch.h"
#include "knowledge/knowledge.h"
#include "knowledge/torch_advice.h"
#include "units/registry.h"

// A framework brings its own CUDA runtime; the driver has to be as new as that runtime asks. Within one
// major version an older driver will do (minor-version compatibility), so that 12.8 runs on a driver of 12.2.

namespace whygpu::rules::driver::too_old_for_cuda_runtime {

namespace {

std::optional<Version> parsed(const Known<std::string>& version) {
    return version ? Version::parse_prefix(*version) : std::nullopt;
}

// Does CUDA itself say that it serves the runtime? A library of a compat package counts as what it serves.
std::optional<Version> served_cuda(const Facts& facts) {
    const std::optional<Version> cuda = parsed(facts.cuda.driver_cuda);
    return cuda ? cuda : parsed(facts.nvml.driver_cuda);
}

struct Need {
    bool too_old = false;
    bool undecided = false;
    std::string driver;  ///< the Linux driver to run at all; empty when not known
};

std::string least_driver(const Knowledge& tables, const Version& runtime) {
    const std::optional<Version> least = minor_compatibility_minimum(tables, runtime.major());
    const std::optional<Version> driver = least ? least : minimum_driver(tables, runtime);
    return driver ? driver_version_text(*driver) : "";
}

// In WSL the version is that of the Windows driver, to which the Linux tables do not apply.
Need need_of(const RuleInput& input, const Version& runtime, const std::optional<Version>& driver) {
    const std::optional<Version> served = served_cuda(input.facts);
    if (served && *served >= runtime) {
        return {};
    }
    const bool on_linux = input.facts.wsl.inside.is(false);
    if (!driver || !on_linux) {
        const std::string needed = on_linux ? least_driver(input.tables, runtime) : "";
        return {served && served->major() < runtime.major(), !served, needed};
    }
    const DriverFit fit = driver_fit(input.tables, *driver, runtime);
    return {fit.kind == DriverFit::Kind::too_old, fit.kind == DriverFit::Kind::unknown,
            driver_version_text(fit.needed)};
}

void add_torch(Finding& finding, const RuleInput& input, const std::vector<Gpu>& gpus, bool driver_known) {
    const std::optional<InstalledTorch> torch = installed_torch(input.facts, input.tables);
    finding.args["torch"] = torch ? torch->version.release.text() : "";
    // Without the driver's version every wheel would seem to fit.
    if (gpus.empty() || !driver_known) {
        return;
    }
    const std::map<std::string, std::string> advice = torch_advice(input.facts, input.tables, gpus.front());
    for (const char* const name : {"torch_install", "torch_undo", "torch_new", "tag_new"}) {
        if (const auto found = advice.find(name); found != advice.end()) {
            finding.args.insert(*found);
        }
    }
}

// The oldest of the cards decides which drivers are possible at all.
bool newer_driver_possible(const std::vector<Gpu>& gpus, const std::string& needed) {
    const std::optional<Version> least = Version::parse(needed);
    for (const Gpu& gpu : gpus) {
        if (least && gpu.last_driver_branch && *gpu.last_driver_branch < least->major()) {
            return false;
        }
    }
    return true;
}

Finding finding_for(const RuleInput& input, const Version& runtime, const Known<std::string>& driver,
                    const std::string& needed) {
    const Facts& facts = input.facts;
    const std::vector<Gpu> gpus = capable_nvidia_gpus(facts, input.tables);
    const std::optional<Version> served = served_cuda(facts);
    Finding finding;
    finding.subject = driver ? "driver " + *driver : "NVIDIA driver";
    finding.variant = driver && !needed.empty() ? "" : "served";
    finding.args = {{"runtime", runtime.text()}, {"driver", driver ? *driver : ""}, {"needed", needed}};
    finding.args["served"] = served ? served->text() : "";
    finding.args["gpu"] = gpus.empty() ? "" : gpus.front().name;
    finding.args["newer"] = newer_driver_possible(gpus, needed) ? "possible" : "impossible";
    add_torch(finding, input, gpus, driver.known());
    if (driver) {
        finding.evidence.push_back(evidence_of(driver, "driver"));
    }
    if (served) {
        finding.evidence.push_back(
            evidence_of(facts.cuda.driver_cuda ? facts.cuda.driver_cuda : facts.nvml.driver_cuda, "served"));
    }
    finding.evidence.push_back(evidence_of(facts.python.torch_cuda, "runtime"));
    return finding;
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    const Known<std::string>& torch_cuda = facts.python.torch_cuda;
    if (!torch_cuda) {
        return torch_cuda.why() == Missing::absent
                   ? not_applicable("no framework with a CUDA runtime of its own")
                   : unknown({"python.torch_cuda"});
    }
    const std::optional<Version> runtime = parsed(torch_cuda);
    if (!runtime) {
        return not_applicable("torch was built without CUDA");
    }
    const Known<std::string> driver = running_driver_version(facts);
    if (!driver && !served_cuda(facts)) {
        const bool no_driver = !facts.wsl.inside.is(true) && nvidia_module_loaded(facts).is(false);
        return no_driver ? not_applicable("no NVIDIA driver runs") : unknown({"nvidia.kernel_version"});
    }
    const Need need = need_of(input, *runtime, parsed(driver));
    if (need.undecided) {
        return unknown({"cuda.driver_cuda"});
    }
    return need.too_old ? fired(finding_for(input, *runtime, driver, need.driver)) : clear();
}

}  // namespace whygpu::rules::driver::too_old_for_cuda_runtime
