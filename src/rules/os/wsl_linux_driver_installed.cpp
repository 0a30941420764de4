#include "facts/facts.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu::rules::os::wsl_linux_driver_installed {

Verdict check(const RuleInput& input) {
    const WslFacts& wsl = input.facts.wsl;
    // In a container inside WSL the container toolkit mounts driver files on purpose.
    if (input.facts.container.inside.is(true)) {
        return not_applicable("a container: its driver files are mounted from outside");
    }
    if (wsl.linux_driver_files->empty()) {
        return clear();
    }
    Finding finding;
    finding.subject = wsl.linux_driver_files->front();
    finding.args = {{"file", wsl.linux_driver_files->front()}};
    for (const std::string& file : *wsl.linux_driver_files) {
        finding.evidence.push_back(Evidence{file, 0, "", "linux_driver"});
    }
    if (wsl.driver_libraries) {
        for (const std::string& library : *wsl.driver_libraries) {
            finding.evidence.push_back(Evidence{"/usr/lib/wsl/lib/" + library, 0, "", "windows_driver"});
        }
    }
    return fired(std::move(finding));
}

}  // namespace whygpu::rules::os::wsl_linux_driver_installed
