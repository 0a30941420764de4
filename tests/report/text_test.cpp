#include <gmock/gmock.h>

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"
#include "report/made_report.h"

namespace whygpu {
namespace {

using ::testing::HasSubstr;
using testing::made_report;
using ::testing::Not;
using testing::words;

std::string rendered(const Report& report, int columns, Lang lang = Lang::en) {
    TextStyle style;
    style.columns = columns;
    return render_text(report, words(lang), style);
}

std::string without_colours(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\033') {
            at = text.find('m', at);
            continue;
        }
        out += text[at];
    }
    return out;
}

TEST(TextReport, FirstLineNamesTheMachineAndTheThirdTheProblem) {
    const std::string text = rendered(made_report(), 100);
    const std::vector<std::string_view> lines = lines_of(text);
    ASSERT_GT(lines.size(), 3U);
    EXPECT_EQ(lines[0], "whygpu 0.1.0 · Ubuntu 22.04 · kernel 6.8.0-64 · NVIDIA GeForce RTX 5090");
    EXPECT_EQ(lines[2], "✗ The NVIDIA kernel module is not loaded");
}

TEST(TextReport, KeepsTheWidthOfTheTerminal) {
    for (const Lang lang : {Lang::en, Lang::zh}) {
        for (const int columns : {40, 50, 59, 60, 72, 100}) {
            const std::string text = rendered(made_report(), columns, lang);
            for (const std::string_view line : lines_of(text)) {
                const bool command = contains(line, "modprobe");
                EXPECT_TRUE(command || display_width(line) <= columns) << line;
            }
        }
    }
}

TEST(TextReport, CommandsAreNeverBroken) {
    Report report = made_report();
    const std::string command =
        "sudo apt install --yes linux-headers-6.8.0-64-generic nvidia-driver-580-open dkms build-essential";
    report.findings[0].finding.fix[0].commands = {command};
    EXPECT_THAT(rendered(report, 40), HasSubstr(command));
}

TEST(TextReport, WithoutColourHasNoEscapes) {
    EXPECT_THAT(rendered(made_report(), 80), Not(HasSubstr("\033")));
}

TEST(TextReport, ColourChangesNothingElse) {
    TextStyle style;
    style.columns = 80;
    const std::string plain = render_text(made_report(), words(), style);
    style.color = true;
    const std::string coloured = render_text(made_report(), words(), style);
    EXPECT_THAT(coloured, HasSubstr("\033[1;31m"));
    EXPECT_EQ(without_colours(coloured), plain);
}

TEST(TextReport, AsciiIsAsciiAlsoInColour) {
    for (const bool color : {false, true}) {
        TextStyle style;
        style.ascii = true;
        style.color = color;
        const std::string text = render_text(made_report(), words(), style);
        EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; })) << text;
        EXPECT_THAT(without_colours(text), HasSubstr("x The NVIDIA kernel module is not loaded"));
    }
}

TEST(TextReport, SaysSafetyAndUndoOfEachStep) {
    const std::string text = rendered(made_report(), 100);
    EXPECT_THAT(text, HasSubstr("needs root"));
    EXPECT_THAT(text, HasSubstr("undo: sudo modprobe -r nvidia"));
}

TEST(TextReport, ShowsFiveLinesOfEvidenceAndAllWhenVerbose) {
    Report report = made_report();
    ShownFinding& shown = report.findings[0];
    for (int number = 0; number < 7; ++number) {
        shown.finding.evidence.push_back({"dmesg", number, "line-" + std::to_string(number), ""});
        shown.evidence_notes.emplace_back();
    }
    TextStyle style;
    EXPECT_THAT(render_text(report, words(), style),
                HasSubstr(words().text("report.more_evidence", {{"count", "4"}})));
    EXPECT_THAT(render_text(report, words(), style), Not(HasSubstr("line-6")));
    style.verbose = true;
    EXPECT_THAT(render_text(report, words(), style), HasSubstr("line-6"));
}

TEST(TextReport, ConsequencesAreNamedUnderTheirCause) {
    Report report = made_report();
    ShownFinding consequence = testing::made_finding();
    consequence.finding.id = "framework.no-gpu";
    consequence.finding.role = Role::consequence;
    consequence.title = "PyTorch sees no GPU";
    report.findings.push_back(consequence);
    const std::string text = rendered(report, 100);
    EXPECT_THAT(text, HasSubstr("PyTorch sees no GPU (framework.no-gpu)"));
    EXPECT_THAT(text, Not(HasSubstr("✗ PyTorch sees no GPU")));
    EXPECT_THAT(text, HasSubstr("1 problem ·"));
}

TEST(TextReport, HealthyMachineIsFewLinesAndSaysWhatWasNotChecked) {
    Report report = made_report();
    report.findings.clear();
    report.diagnosis.health = Health::ok;
    report.headline = "No problem found";
    const std::string text = rendered(report, 100);
    EXPECT_LE(lines_of(text).size(), 6U);
    EXPECT_THAT(text, HasSubstr("✓ No problem found"));
    EXPECT_THAT(text, HasSubstr("kernel log (permission denied; run with sudo to include it)"));
}

}  // namespace
}  // namespace whygpu
