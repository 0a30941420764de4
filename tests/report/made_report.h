#pragma once

#include <string>

#include "i18n/catalogue.h"
#include "report/render.h"

namespace whygpu::testing {

/// The texts of the user interface.
inline const Catalogue& words(Lang lang = Lang::en) {
    static const Catalogue english = Catalogue::load(Lang::en).value();
    static const Catalogue chinese = Catalogue::load(Lang::zh).value();
    return lang == Lang::en ? english : chinese;
}

/// A finding with one of everything; the texts are what the view would have made of a unit.
inline ShownFinding made_finding() {
    ShownFinding shown;
    Finding& finding = shown.finding;
    finding.id = "driver.module-not-loaded";
    finding.subject = "0000:01:00.0";
    finding.evidence = {{"/proc/modules", 12, "nouveau 2695168 3 - Live", ""},
                        {"uname", 0, "6.8.0-64-generic", "new"}};
    finding.explains = {"framework.no-gpu"};
    finding.verify = {"nvidia-smi -L"};
    FixStep step;
    step.step = "load";
    step.commands = {"sudo modprobe nvidia"};
    step.safety = Safety::caution;
    step.needs_root = true;
    step.undo = {"sudo modprobe -r nvidia"};
    finding.fix = {step};
    shown.title = "The NVIDIA kernel module is not loaded";
    shown.explanation =
        "Without it no program can reach the GPU, whatever else is installed; the kernel has to load it "
        "first.";
    shown.evidence_notes = {"", "another kernel than the one it was built for"};
    shown.step_titles = {"Load the module now"};
    shown.docs = "whygpu rules driver.module-not-loaded";
    return shown;
}

/// A report with that finding, a chain and a gap.
inline Report made_report() {
    Report report;
    report.version = "0.1.0";
    report.command = "doctor";
    report.machine = "Ubuntu 22.04 · kernel 6.8.0-64 · NVIDIA GeForce RTX 5090";
    report.diagnosis.health = Health::broken;
    report.diagnosis.counts = {1, 41, 22, 2};
    report.diagnosis.chain = {{"hardware", LinkState::ok},
                              {"driver", LinkState::broken},
                              {"toolkit", LinkState::not_applicable},
                              {"container", LinkState::unknown},
                              {"framework", LinkState::warning},
                              {"code", LinkState::unknown}};
    report.diagnosis.unknown = {{"os.kernel-said", Severity::error, {"kernel_log.messages"}}};
    report.findings = {made_finding()};
    report.diagnosis.findings = {report.findings[0].finding};
    report.headline = report.findings[0].title;
    report.gaps = {{"kernel log", "permission denied", true}};
    report.facts = Json::object();
    report.elapsed_ms = 84;
    return report;
}

}  // namespace whygpu::testing
