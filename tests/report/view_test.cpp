#include "report/view.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "knowledge/knowledge.h"
#include "report/made_report.h"
#include "units/library.h"

namespace whygpu {
namespace {

using ::testing::HasSubstr;
using testing::words;

const UnitLibrary& units() {
    static const UnitLibrary all = UnitLibrary::load().value();
    return all;
}

const Knowledge& tables() {
    static const Knowledge all = Knowledge::load().value();
    return all;
}

Report report_of(const Facts& facts, const Diagnosis& diagnosis, Lang lang = Lang::en) {
    return make_report(facts, tables(), diagnosis, units(), words(lang),
                       ReportContext{"doctor", false, true, 0, ""});
}

bool is_one_line(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c < 0 || c >= ' '; });
}

// Every value that a rule of this unit could put into its texts, and something else than it should be.
Finding hostile_finding(const Document& document) {
    const std::string hostile = "x\n# y\033[31m\r\tz";
    Finding finding;
    finding.id = document.id;
    for (const std::string* text : {&document.english.title, &document.english.meaning}) {
        for (const std::string& name : placeholders_of(*text)) {
            finding.args[name] = hostile;
        }
    }
    finding.subject = hostile;
    finding.next_test = hostile;
    finding.evidence = {{hostile, 3, hostile, ""}};
    return finding;
}

TEST(View, NoTextOfTheMachineBeginsALine) {
    for (const Lang lang : {Lang::en, Lang::zh}) {
        for (const RuleUnit& rule : units().rules()) {
            Diagnosis diagnosis;
            diagnosis.findings = {hostile_finding(rule.document)};
            const Report report = report_of(Facts{}, diagnosis, lang);
            ASSERT_EQ(report.findings.size(), 1U);
            const ShownFinding& shown = report.findings[0];
            EXPECT_TRUE(is_one_line(shown.title)) << shown.title;
            EXPECT_TRUE(is_one_line(shown.explanation)) << shown.explanation;
            EXPECT_TRUE(is_one_line(shown.finding.evidence[0].text)) << rule.document.id;
            EXPECT_TRUE(is_one_line(shown.finding.evidence[0].source)) << rule.document.id;
            EXPECT_TRUE(is_one_line(shown.finding.next_test)) << rule.document.id;
        }
    }
}

TEST(View, InternalErrorNamesItsUnit) {
    Diagnosis diagnosis;
    Finding finding;
    finding.id = "whygpu.internal";
    finding.args = {{"unit", "driver.x"}, {"what", "vector\nat"}};
    diagnosis.findings = {finding};
    const Report report = report_of(Facts{}, diagnosis);
    EXPECT_EQ(report.findings.at(0).title, "whygpu has an internal error in driver.x");
    EXPECT_EQ(report.findings.at(0).explanation, "vector at");
}

TEST(View, GapIsNamedOnceWithItsReason) {
    Facts facts;
    facts.kernel_log.messages =
        Known<std::vector<KernelLogFacts::Message>>::missing(Missing::denied, "root only");
    Diagnosis diagnosis;
    diagnosis.unknown = {{"a.b", Severity::error, {"kernel_log.messages"}},
                         {"a.c", Severity::error, {"kernel_log.messages"}}};
    const Report report = report_of(facts, diagnosis);
    ASSERT_EQ(report.gaps.size(), 1U);
    EXPECT_EQ(report.gaps[0].what, "kernel log");
    EXPECT_EQ(report.gaps[0].reason, "permission denied");
    EXPECT_TRUE(report.gaps[0].sudo_helps);
}

TEST(View, UnknownMachineIsNotCalledHealthy) {
    Diagnosis diagnosis;
    diagnosis.counts.unknown = 40;
    const Report report = report_of(Facts{}, diagnosis);
    EXPECT_EQ(report.headline, words().text("verdict.unknown"));
    EXPECT_THAT(report.machine, HasSubstr(words().text("machine.gpu_unknown")));
}

TEST(View, HealthyHeadlineSaysHowManyCouldNotBeMade) {
    Diagnosis diagnosis;
    diagnosis.health = Health::ok;
    diagnosis.counts = {0, 40, 3, 2};
    EXPECT_EQ(report_of(Facts{}, diagnosis).headline,
              "No problem found: 40 checks passed, 2 could not be made");
    diagnosis.counts.unknown = 0;
    EXPECT_EQ(report_of(Facts{}, diagnosis).headline,
              "No problem found: all 40 checks that apply here passed");
}

}  // namespace
}  // namespace whygpu
