#include "base/text.h"
#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::framework::package_in_other_python {

Verdict check(const RuleInput& input) {
    const PythonFacts& python = input.facts.python;
    if (python.torch_version || python.tensorflow_version || python.jax_version) {
        return not_applicable("the default Python has a framework");
    }
    if (!python.interpreter && python.interpreter.why() == Missing::absent) {
        return not_applicable("no Python was found");
    }
    if (!python.other_pythons) {
        return unknown({"python.other_pythons"});
    }
    if (python.other_pythons->empty()) {
        return not_applicable("no framework in any Python at the usual places");
    }
    const PythonFacts::OtherPython& first = python.other_pythons->front();
    const std::string framework = first.frameworks->front();
    Finding finding;
    finding.subject = framework;
    finding.args = {{"framework", framework},
                    {"module", framework.substr(0, framework.find(' '))},
                    {"other", *first.interpreter}};
    finding.evidence = {evidence_of(python.interpreter, "default")};
    for (const PythonFacts::OtherPython& one : *python.other_pythons) {
        finding.evidence.push_back(evidence_of(one.frameworks, "other"));
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::framework::package_in_other_python
