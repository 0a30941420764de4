#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

class Knowledge;
struct Facts;

/// The answer to a term; unknown when its name has no value.
enum class Truth { yes, no, unknown };

/// The machine in a few named values: what documents may ask for in `applies` and `when` terms and
/// put into commands as {name}. A name whose value could not be found out has none.
///
/// Names: nvidia_gpu (any NVIDIA GPU), nvidia_capable and amd_capable (one that can run CUDA or ROCm),
/// capable (either), wsl, container, engine, vm, hypervisor, jetson, root, family (debian, ubuntu,
/// rhel, fedora, suse, arch, amazon, nixos, alpine, other), distro, distro_version, arch, kernel,
/// secure_boot, nvswitch, open_module (no, optional, required), driver_branch (the branch to install
/// for this card), open_suffix ("-open" where Ubuntu's open package fits), sudo ("sudo " or ""),
/// python, pip, managed (its pip refuses to install), env_python and env_pip (the same, or those of the
/// environment to be made where pip refuses).
class Situation {
public:
    std::optional<std::string> value(std::string_view name) const;
    void set(const std::string& name, std::string value) { values_[name] = std::move(value); }
    const std::map<std::string, std::string, std::less<>>& values() const { return values_; }

private:
    std::map<std::string, std::string, std::less<>> values_;
};

/// Derives every name from the facts; what cannot be told is left without a value.
Situation situation_of(const Facts& facts, const Knowledge& tables);

/// The names that a Situation may hold, for the contract tests.
const std::vector<std::string>& situation_names();

/// "family=debian", "container!=true", "family=debian|ubuntu". Unknown when the name has no value.
Truth holds(const Situation& situation, std::string_view term);

/// All of them: no as soon as one is no, else unknown as soon as one is.
Truth all_hold(const Situation& situation, const std::vector<std::string>& terms);

}  // namespace whygpu
