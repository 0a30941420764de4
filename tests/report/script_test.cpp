#include <gmock/gmock.h>

#include <algorithm>

#include "base/text.h"
#include "report/made_report.h"

namespace whygpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::made_report;
using ::testing::Not;
using testing::words;

// What a shell would run.
std::vector<std::string> code_lines(const std::string& script) {
    std::vector<std::string> out;
    for (const std::string_view line : lines_of(script)) {
        if (!line.empty() && !line.starts_with('#')) {
            out.emplace_back(line);
        }
    }
    return out;
}

TEST(ScriptReport, StopsBeforeItDoesAnything) {
    const std::string script = render_script(made_report(), words());
    EXPECT_TRUE(script.starts_with("#!/bin/sh\n"));
    EXPECT_THAT(code_lines(script), ElementsAre("exit 1", "sudo modprobe nvidia", "nvidia-smi -L"));
}

TEST(ScriptReport, TextsCannotLeaveTheirComment) {
    Report report = made_report();
    const std::string hostile = "x\nrm -rf ~\n\nrm -rf /\r\nrm y";
    ShownFinding& shown = report.findings[0];
    report.machine = hostile;
    shown.title = hostile;
    shown.explanation = hostile;
    shown.step_titles = {hostile};
    shown.evidence_notes = {hostile, hostile};
    shown.finding.evidence[0].text = hostile;
    shown.finding.evidence[1].source = hostile;
    shown.finding.fix[0].undo = {hostile};
    EXPECT_THAT(code_lines(render_script(report, words())),
                ElementsAre("exit 1", "sudo modprobe nvidia", "nvidia-smi -L"));
    EXPECT_THAT(code_lines(render_script(report, words(Lang::zh))),
                ElementsAre("exit 1", "sudo modprobe nvidia", "nvidia-smi -L"));
}

TEST(ScriptReport, StepWithoutCommandsIsAdvice) {
    Report report = made_report();
    report.findings[0].finding.fix[0].commands.clear();
    const std::string script = render_script(report, words());
    EXPECT_THAT(script, HasSubstr("# " + words().text("script.advice")));
    EXPECT_THAT(code_lines(script), ElementsAre("exit 1", "nvidia-smi -L"));
}

TEST(ScriptReport, RepairsCausesAndNotTheirConsequences) {
    Report report = made_report();
    report.findings[0].finding.role = Role::consequence;
    const std::string script = render_script(report, words());
    EXPECT_THAT(script, HasSubstr(words().text("script.nothing")));
    EXPECT_THAT(script, Not(HasSubstr("modprobe")));
}

}  // namespace
}  // namespace whygpu
