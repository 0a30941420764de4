#include "facts/facts.h"
#include "findings/finding.h"
#include "knowledge/installed_torch.h"
#include "knowledge/python_packages.h"
#include "rules/framework/packages.h"
#include "units/registry.h"

namespace whygpu::rules::framework::numpy2_abi_mismatch {

namespace {

const Version numpy_2({2});
// The first releases whose Linux wheels were compiled against NumPy 2.
const Version torch_with_numpy_2({2, 3});
const Version tensorflow_with_numpy_2({2, 18});

Finding finding_for(const std::string& package, const std::string& version, const PythonFacts::Package& numpy,
                    Evidence evidence) {
    Finding finding;
    finding.subject = package + " " + version;
    finding.variant = package == "torch" ? "" : "tensorflow";
    finding.args = {{"package", package}, {"version", version}, {"numpy", *numpy.version}};
    finding.evidence = {std::move(evidence), evidence_of(numpy.version)};
    return finding;
}

// Distributions and conda rebuild old releases against their own NumPy.
bool from_pip(const PythonFacts& python, const PythonFacts::Package& package) {
    const bool distribution =
        package.location->ends_with("/dist-packages") && !package.location->starts_with("/usr/local/");
    return !distribution && (!python.conda_packages || python.conda_packages->empty());
}

}  // namespace

Verdict check(const RuleInput& input) {
    const Facts& facts = input.facts;
    if (const std::optional<Verdict> verdict = without_packages(facts)) {
        return *verdict;
    }
    const PythonFacts::Package* torch_package = package_named(facts, "torch");
    const PythonFacts::Package* tensorflow = package_named(facts, "tensorflow");
    if (torch_package == nullptr && tensorflow == nullptr && facts.python.packages_complete) {
        return not_applicable("no PyTorch or TensorFlow in the default Python");
    }
    const PythonFacts::Package* numpy = package_named(facts, "numpy");
    const std::optional<Version> numpy_release = numpy != nullptr ? release_of(*numpy) : std::nullopt;
    if (!numpy_release || *numpy_release < numpy_2) {
        return facts.python.packages_complete || numpy_release ? clear()
                                                               : unknown({"python.packages_complete"});
    }
    std::vector<Finding> findings;
    const std::optional<InstalledTorch> torch = installed_torch(facts, input.tables);
    if (torch && torch_package != nullptr && !torch->version.pre_release &&
        torch->version.release < torch_with_numpy_2 && from_pip(facts.python, *torch_package)) {
        findings.push_back(
            finding_for("torch", torch->version_text, *numpy, evidence_of(facts.python.torch_version)));
        findings.back().softened = Severity::warning;  // torch itself runs, its way to NumPy does not
    }
    const std::optional<Version> release = tensorflow != nullptr ? release_of(*tensorflow) : std::nullopt;
    if (release && *release < tensorflow_with_numpy_2 && from_pip(facts.python, *tensorflow)) {
        findings.push_back(
            finding_for("tensorflow", *tensorflow->version, *numpy, evidence_of(tensorflow->version)));
    }
    return fired(std::move(findings));
}

}  // namespace whygpu::rules::framework::numpy2_abi_mismatch
