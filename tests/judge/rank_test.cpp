#include "findings/rank.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using ::testing::ElementsAre;

Finding finding(const std::string& id, Severity severity = Severity::error,
                std::vector<std::string> explains = {}) {
    Finding made;
    made.id = id;
    made.severity = severity;
    made.explains = std::move(explains);
    return made;
}

std::vector<std::string> order(std::vector<Finding> findings) {
    std::vector<std::string> lines;
    for (const Finding& one : ranked(std::move(findings))) {
        lines.push_back(one.id + " " + std::string(name_of(one.role)));
    }
    return lines;
}

TEST(Rank, FirstBrokenLinkOfTheChainComesFirst) {
    EXPECT_THAT(order({finding("framework.b"), finding("driver.c"), finding("hardware.a")}),
                ElementsAre("hardware.a root", "driver.c root", "framework.b root"));
}

TEST(Rank, CauseFoldsItsSymptoms) {
    EXPECT_THAT(
        order({finding("driver.symptom"), finding("framework.cause", Severity::error, {"driver.symptom"})}),
        ElementsAre("framework.cause root", "driver.symptom consequence"));
}

TEST(Rank, CauseFoldsThroughAnotherCause) {
    EXPECT_THAT(
        order({finding("framework.last"), finding("driver.middle", Severity::error, {"framework.last"}),
               finding("hardware.first", Severity::error, {"driver.middle"})}),
        ElementsAre("hardware.first root", "driver.middle consequence", "framework.last consequence"));
}

TEST(Rank, FindingDoesNotFoldItself) {
    EXPECT_THAT(order({finding("driver.two-cards", Severity::error, {"driver.two-cards"}),
                       finding("driver.two-cards", Severity::error, {"driver.two-cards"})}),
                ElementsAre("driver.two-cards root", "driver.two-cards root"));
}

TEST(Rank, WarningBesideAnErrorContributes) {
    EXPECT_THAT(order({finding("hardware.slow", Severity::warning), finding("framework.none")}),
                ElementsAre("framework.none root", "hardware.slow contributing"));
}

TEST(Rank, WarningAloneIsTheRoot) {
    EXPECT_THAT(order({finding("env.hint", Severity::note), finding("hardware.slow", Severity::warning)}),
                ElementsAre("hardware.slow root", "env.hint note"));
}

TEST(Rank, WarningBesideAFoldedErrorIsStillTheRoot) {
    const std::vector<Finding> findings = {finding("driver.error"),
                                           finding("hardware.slow", Severity::warning, {"driver.error"})};
    EXPECT_THAT(order(findings), ElementsAre("hardware.slow root", "driver.error consequence"));
}

TEST(Rank, TheMoreCertainOfOneAreaComesFirst) {
    Finding guess = finding("driver.guess");
    guess.confidence = Confidence::possible;
    EXPECT_THAT(order({guess, finding("driver.sure")}), ElementsAre("driver.sure root", "driver.guess root"));
}

TEST(Rank, EqualFindingsKeepTheirOrder) {
    Finding first = finding("driver.same");
    first.subject = "0000:01:00.0";
    Finding second = finding("driver.same");
    second.subject = "0000:02:00.0";
    const std::vector<Finding> out = ranked({first, second});
    ASSERT_EQ(out.size(), 2U);
    EXPECT_EQ(out[0].subject, "0000:01:00.0");
}

TEST(Rank, NothingStaysNothing) {
    EXPECT_TRUE(ranked({}).empty());
}

TEST(ChainPosition, UnknownAreasComeLast) {
    EXPECT_LT(chain_position("hardware"), chain_position("driver"));
    EXPECT_LT(chain_position("framework"), chain_position("performance"));
    EXPECT_LT(chain_position("performance"), chain_position("whygpu"));
}

}  // namespace
}  // namespace whygpu
