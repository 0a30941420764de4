// A fix is offered with what the rules would say after it, and not at all when it would break something else.

#include <gtest/gtest.h>

#include "base/json.h"
#include "facts/access.h"
#include "judge/judge.h"
#include "knowledge/knowledge.h"

namespace whygpu {
namespace {

RuleUnit rule(const std::string& id, RuleFunction check, std::vector<std::string> predicted) {
    RuleUnit unit;
    unit.document.id = id;
    unit.document.severity = Severity::error;
    FixRow fix;
    fix.step = "fix";
    fix.commands = {"true"};
    unit.document.fixes = {fix};
    if (!predicted.empty()) {
        unit.document.predictions = {PredictRow{{}, std::move(predicted)}};
    }
    unit.check = check;
    return unit;
}

// Fires while the kernel is "old".
Verdict old_kernel(const RuleInput& input) {
    return input.facts.kernel.release.is("old") ? fired(Finding{}) : clear();
}

// Fires while lockdown is on.
Verdict locked(const RuleInput& input) {
    return input.facts.kernel.lockdown.is("integrity") ? fired(Finding{}) : clear();
}

Diagnosis judged(const std::vector<RuleUnit>& rules, const std::string& lockdown) {
    static const Knowledge tables = Knowledge::load().value();
    Facts facts;
    facts.kernel.release = Known<std::string>("old");
    facts.kernel.lockdown = Known<std::string>(lockdown);
    return judge(facts, tables, rules, RuleFilter{});
}

TEST(Proof, AFixThatResolvesEverythingSaysSo) {
    const Diagnosis diagnosis = judged({rule("driver.a", &old_kernel, {"kernel.release=new"})}, "none");
    ASSERT_TRUE(diagnosis.findings.front().proof.has_value());
    EXPECT_TRUE(diagnosis.findings.front().proof->resolves);
    EXPECT_TRUE(diagnosis.findings.front().proof->left.empty());
    EXPECT_EQ(diagnosis.findings.front().fix.size(), 1U);
}

TEST(Proof, WhatStaysIsNamed) {
    const Diagnosis diagnosis = judged(
        {rule("driver.a", &old_kernel, {"kernel.release=new"}), rule("driver.b", &locked, {})}, "integrity");
    ASSERT_TRUE(diagnosis.findings.front().proof.has_value());
    EXPECT_EQ(diagnosis.findings.front().proof->left, std::vector<std::string>{"driver.b"});
    EXPECT_FALSE(diagnosis.findings.back().proof.has_value());
}

TEST(Proof, AFixThatWouldBreakSomethingElseIsNotOffered) {
    const Diagnosis diagnosis =
        judged({rule("driver.a", &old_kernel, {"kernel.release=new", "kernel.lockdown=integrity"}),
                rule("driver.b", &locked, {})},
               "none");
    ASSERT_TRUE(diagnosis.findings.front().proof.has_value());
    EXPECT_EQ(diagnosis.findings.front().proof->brings, std::vector<std::string>{"driver.b"});
    EXPECT_TRUE(diagnosis.findings.front().fix.empty());
}

TEST(Proof, APredictionThatDoesNotHelpIsAdmitted) {
    const Diagnosis diagnosis = judged({rule("driver.a", &old_kernel, {"kernel.lockdown=none"})}, "none");
    ASSERT_TRUE(diagnosis.findings.front().proof.has_value());
    EXPECT_FALSE(diagnosis.findings.front().proof->resolves);
}

TEST(Proof, APredictionWithAHoleProvesNothing) {
    const Diagnosis diagnosis =
        judged({rule("driver.a", &old_kernel, {"kernel.release={nobody_knows}"})}, "none");
    EXPECT_FALSE(diagnosis.findings.front().proof.has_value());
}

}  // namespace
}  // namespace whygpu
