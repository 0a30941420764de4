#include "findings/finding.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using testing::ElementsAre;

TEST(FindingNames, AreThoseOfTheJsonContract) {
    EXPECT_EQ(name_of(Severity::warning), "warning");
    EXPECT_EQ(name_of(Confidence::possible), "possible");
    EXPECT_EQ(name_of(Role::contributing), "contributing");
    EXPECT_EQ(name_of(Role::note), "note");
    EXPECT_EQ(name_of(Safety::disruptive), "disruptive");
}

TEST(Verdicts, FiredCarriesFindings) {
    Finding finding;
    finding.subject = "0000:01:00.0";
    const Verdict verdict = fired(finding);
    EXPECT_EQ(verdict.kind, Verdict::Kind::fired);
    ASSERT_EQ(verdict.findings.size(), 1U);
    EXPECT_EQ(verdict.findings[0].subject, "0000:01:00.0");
}

TEST(Verdicts, FiredWithoutFindingsIsClear) {
    EXPECT_EQ(fired(std::vector<Finding>{}).kind, Verdict::Kind::clear);
    EXPECT_EQ(clear().kind, Verdict::Kind::clear);
}

TEST(Verdicts, ReasonAndMissingFacts) {
    EXPECT_EQ(not_applicable("no NVIDIA GPU").kind, Verdict::Kind::not_applicable);
    EXPECT_EQ(not_applicable("no NVIDIA GPU").reason, "no NVIDIA GPU");
    EXPECT_EQ(unknown({"kernel.release"}).kind, Verdict::Kind::unknown);
    EXPECT_THAT(unknown({"kernel.release"}).missing, ElementsAre("kernel.release"));
}

TEST(EvidenceOfFact, IsItsRawLine) {
    const Known<int> fact(3, Source{"/proc/x", 7, "value: 3"});
    const Evidence evidence = evidence_of(fact, "too-low");
    EXPECT_EQ(evidence.source, "/proc/x");
    EXPECT_EQ(evidence.line, 7);
    EXPECT_EQ(evidence.text, "value: 3");
    EXPECT_EQ(evidence.note, "too-low");
}

}  // namespace
}  // namespace whygpu
