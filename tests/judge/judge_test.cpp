#include "judge/judge.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "host/empty.h"
#include "judge/collect.h"
#include "judge/made_facts.h"

namespace whygpu {
namespace {

using ::testing::ElementsAre;
using testing::facts_of;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::tables;

Verdict fires(const RuleInput&) {
    Finding finding;
    finding.subject = "0000:01:00.0";
    return fired(finding);
}

Verdict fires_softened(const RuleInput&) {
    Finding finding;
    finding.softened = Severity::note;
    return fired(finding);
}

Verdict stays_silent(const RuleInput&) {
    return clear();
}

Verdict lacks_a_fact(const RuleInput&) {
    return unknown({"kernel_log.messages"});
}

Verdict breaks(const RuleInput&) {
    throw std::runtime_error("vector::at");
}

RuleUnit rule(const std::string& id, RuleFunction check, Severity severity = Severity::error) {
    RuleUnit made;
    made.document.id = id;
    made.document.severity = severity;
    made.check = check;
    return made;
}

// A machine with a GPU that can compute, so that silence means health.
Facts machine() {
    return facts_of(
        "[os]\nid = \"ubuntu\"\n[[pci.gpus]]\nvendor_id = \"10de\"\ndevice_id = \"2b85\"\n"
        "name = \"GB202 [GeForce RTX 5090]\"\n");
}

Diagnosis judged(const std::vector<RuleUnit>& rules, const RuleFilter& filter = {}) {
    return judge(machine(), tables(), rules, filter);
}

LinkState link(const Diagnosis& diagnosis, const std::string& name) {
    for (const Link& one : diagnosis.chain) {
        if (one.name == name) {
            return one.state;
        }
    }
    ADD_FAILURE() << "no link " << name;
    return LinkState::unknown;
}

// ---- one rule ----

TEST(RunRule, FindingsGetWhatTheDocumentSays) {
    RuleUnit unit = rule("driver.x", fires, Severity::warning);
    unit.document.explains = {"framework.y"};
    const Verdict verdict = run_rule(unit, machine(), tables(), Situation{});
    ASSERT_THAT(verdict.findings, SizeIs(1));
    EXPECT_EQ(verdict.findings[0].id, "driver.x");
    EXPECT_EQ(verdict.findings[0].severity, Severity::warning);
    EXPECT_THAT(verdict.findings[0].explains, ElementsAre("framework.y"));
}

TEST(RunRule, MaySoftenItsFinding) {
    const Verdict verdict = run_rule(rule("driver.x", fires_softened), machine(), tables(), Situation{});
    ASSERT_THAT(verdict.findings, SizeIs(1));
    EXPECT_EQ(verdict.findings[0].severity, Severity::note);
}

TEST(RunRule, IsNotAskedOnMachinesThatItIsNotFor) {
    RuleUnit unit = rule("driver.x", fires);
    unit.document.applies = {"wsl=true"};
    Situation situation;
    situation.set("wsl", "false");
    EXPECT_EQ(run_rule(unit, machine(), tables(), situation).kind, Verdict::Kind::not_applicable);
}

TEST(RunRule, WithoutWhatItNeedsIsUnknown) {
    RuleUnit unit = rule("driver.x", fires);
    unit.document.needs = {"kernel.release", "os.id", "cuda.init_code"};
    const Verdict verdict = run_rule(unit, machine(), tables(), Situation{});
    EXPECT_EQ(verdict.kind, Verdict::Kind::unknown);
    EXPECT_THAT(verdict.missing, ElementsAre("kernel.release", "cuda.init_code"));
}

TEST(RunRule, NamesTheFactsBehindConditionsThatItCannotTell) {
    RuleUnit unit = rule("driver.x", fires);
    unit.document.applies = {"family=debian|ubuntu", "wsl!=true", "secure_boot=true", "nvidia_capable=true"};
    const Verdict verdict = run_rule(unit, Facts{}, tables(), Situation{});
    EXPECT_EQ(verdict.kind, Verdict::Kind::unknown);
    EXPECT_THAT(verdict.missing, ElementsAre("os.id", "wsl.inside", "kernel.secure_boot", "pci.gpus"));
}

TEST(RunRule, FactsBehindConditionsAreFacts) {
    for (const std::string& name : situation_names()) {
        RuleUnit unit = rule("driver.x", fires);
        unit.document.applies = {name + "=x"};
        const Verdict verdict = run_rule(unit, Facts{}, tables(), Situation{});
        ASSERT_THAT(verdict.missing, SizeIs(1)) << name;
        EXPECT_TRUE(fact_state(Facts{}, verdict.missing[0]).has_value())
            << name << ": " << verdict.missing[0];
    }
}

// ---- all of them ----

TEST(Judge, CountsWhatTheRulesSaid) {
    const Diagnosis diagnosis =
        judged({rule("driver.a", fires), rule("driver.b", stays_silent), rule("os.c", lacks_a_fact)});
    EXPECT_EQ(diagnosis.counts.fired, 1);
    EXPECT_EQ(diagnosis.counts.clear, 1);
    EXPECT_EQ(diagnosis.counts.unknown, 1);
    EXPECT_EQ(diagnosis.counts.not_applicable, 0);
    ASSERT_THAT(diagnosis.unknown, SizeIs(1));
    EXPECT_EQ(diagnosis.unknown[0].rule, "os.c");
    EXPECT_THAT(diagnosis.unknown[0].missing, ElementsAre("kernel_log.messages"));
}

TEST(Judge, RuleThatThrowsIsAFindingAndTheOthersGoOn) {
    const Diagnosis diagnosis = judged({rule("driver.a", breaks), rule("framework.b", fires)});
    ASSERT_THAT(diagnosis.findings, SizeIs(2));
    EXPECT_EQ(diagnosis.findings[0].id, "framework.b");
    EXPECT_EQ(diagnosis.findings[1].id, "whygpu.internal");
    EXPECT_EQ(diagnosis.findings[1].args.at("unit"), "driver.a");
    EXPECT_EQ(diagnosis.findings[1].args.at("what"), "vector::at");
}

TEST(Judge, RuleThatThrowsLeavesNoGreenReport) {
    EXPECT_EQ(judged({rule("driver.a", breaks)}).health, Health::degraded);
}

TEST(Judge, FilterRunsOnlyWhatWasAskedFor) {
    const std::vector<RuleUnit> rules = {rule("driver.a", fires), rule("driver.b", fires),
                                         rule("os.c", fires)};
    EXPECT_EQ(judged(rules, {{"driver."}, {}}).counts.fired, 2);
    EXPECT_EQ(judged(rules, {{}, {"driver."}}).counts.fired, 1);
    EXPECT_EQ(judged(rules, {{"driver."}, {"driver.a"}}).counts.fired, 1);
    EXPECT_EQ(judged(rules, {{"nothing."}, {}}).counts.fired, 0);
}

TEST(Judge, HealthIsThatOfTheWorstFinding) {
    EXPECT_EQ(judged({rule("driver.a", fires)}).health, Health::broken);
    EXPECT_EQ(judged({rule("driver.a", fires, Severity::warning)}).health, Health::degraded);
    EXPECT_EQ(judged({rule("driver.a", fires, Severity::note)}).health, Health::ok);
    EXPECT_EQ(judged({rule("driver.a", stays_silent)}).health, Health::ok);
}

TEST(Judge, HealthIsUnknownWhereTheBusCouldNotBeRead) {
    const std::vector<RuleUnit> silent = {rule("driver.a", stays_silent)};
    EXPECT_EQ(judge(Facts{}, tables(), silent, {}).health, Health::unknown);
    EXPECT_EQ(judge(Facts{}, tables(), {rule("driver.a", fires)}, {}).health, Health::broken);
}

TEST(Judge, AllRulesOverNoMachineSayNothing) {
    const UnitLibrary units = UnitLibrary::load().value();
    const Facts facts = collect(std::shared_ptr<Host>(make_empty_host()), units.probes(),
                                std::chrono::steady_clock::now() + std::chrono::seconds(60));
    const Diagnosis diagnosis = judge(facts, tables(), units.rules(), {});
    EXPECT_EQ(diagnosis.health, Health::unknown);
    EXPECT_THAT(diagnosis.findings, IsEmpty());
    EXPECT_EQ(diagnosis.counts.clear, 0);
    for (const Link& one : diagnosis.chain) {
        EXPECT_NE(one.state, LinkState::ok) << one.name;
    }
}

TEST(Health, NamesAreThoseOfTheJsonContract) {
    EXPECT_EQ(name_of(Health::ok), "ok");
    EXPECT_EQ(name_of(Health::degraded), "degraded");
    EXPECT_EQ(name_of(Health::broken), "broken");
    EXPECT_EQ(name_of(Health::unknown), "unknown");
}

// ---- the chain ----

TEST(Chain, HasItsLinksInOrder) {
    std::vector<std::string> names;
    for (const Link& one : judged({}).chain) {
        names.push_back(one.name);
        EXPECT_EQ(one.state, LinkState::unknown) << "nothing was asked";
    }
    EXPECT_THAT(names, ElementsAre("hardware", "driver", "toolkit", "container", "framework", "code"));
}

TEST(Chain, LinkIsAsBadAsItsWorstRule) {
    EXPECT_EQ(link(judged({rule("driver.a", stays_silent)}), "driver"), LinkState::ok);
    EXPECT_EQ(link(judged({rule("driver.a", stays_silent), rule("os.b", fires)}), "driver"),
              LinkState::broken);
    EXPECT_EQ(link(judged({rule("driver.a", fires, Severity::warning)}), "driver"), LinkState::warning);
    EXPECT_EQ(link(judged({rule("driver.a", fires), rule("framework.b", stays_silent)}), "framework"),
              LinkState::ok);
}

TEST(Chain, LinkWithAnUnknownErrorIsNotGreen) {
    EXPECT_EQ(link(judged({rule("driver.a", stays_silent), rule("driver.b", lacks_a_fact)}), "driver"),
              LinkState::unknown);
}

TEST(Chain, LinkWithAnUnknownHintIs) {
    EXPECT_EQ(link(judged({rule("driver.a", stays_silent), rule("driver.b", lacks_a_fact, Severity::note)}),
                   "driver"),
              LinkState::ok);
}

TEST(Chain, LinkThatNoRuleIsAboutHereIsLeftOut) {
    RuleUnit unit = rule("container.a", fires);
    unit.document.applies = {"family=debian"};
    EXPECT_EQ(link(judged({unit}), "container"), LinkState::not_applicable);
}

TEST(Chain, AreasBeyondTheFrameworkAreTheCode) {
    EXPECT_EQ(link(judged({rule("memory.a", fires)}), "code"), LinkState::broken);
}

}  // namespace
}  // namespace whygpu
