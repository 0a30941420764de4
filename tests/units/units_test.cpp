// Runs the cases of every unit's Markdown. One gtest per case, named after the unit.

#include <gtest/gtest.h>

#include <sstream>

#include "base/json.h"
#include "base/text.h"
#include "facts/access.h"
#include "host/host.h"
#include "judge/judge.h"
#include "knowledge/knowledge.h"
#include "report/view.h"
#include "support/answers_host.h"
#include "support/unit_cases.h"
#include "units/library.h"

namespace whygpu::testing {
namespace {

const UnitLibrary& library() {
    static const UnitLibrary units = UnitLibrary::load().value();
    return units;
}

const Knowledge& tables() {
    static const Knowledge knowledge = Knowledge::load().value();
    return knowledge;
}

std::string place(const Evidence& line) {
    return line.source + (line.line > 0 ? ":" + std::to_string(line.line) : "");
}

std::string finding_text(const ShownFinding& shown) {
    const Finding& finding = shown.finding;
    std::string out = std::string(name_of(finding.severity)) + ", " +
                      std::string(name_of(finding.confidence)) + ": " + finding.subject + "\n";
    out += "title: " + shown.title + "\n";
    for (std::size_t index = 0; index < finding.evidence.size(); ++index) {
        const std::string& note = shown.evidence_notes[index];
        out += "evidence: " + place(finding.evidence[index]) + ": " + finding.evidence[index].text +
               (note.empty() ? "" : " (" + note + ")") + "\n";
    }
    for (const std::string& candidate : finding.candidates) {
        out += "candidate: " + candidate + "\n";
    }
    if (!finding.next_test.empty()) {
        out += "next test: " + finding.next_test + "\n";
    }
    for (std::size_t index = 0; index < finding.fix.size(); ++index) {
        out += "fix: " + shown.step_titles[index] + "\n";
        for (const std::string& command : finding.fix[index].commands) {
            out += "  $ " + command + "\n";
        }
    }
    for (const std::string& command : finding.verify) {
        out += "verify: " + command + "\n";
    }
    return out;
}

// What a rule says of the facts of a case, as the expect block holds it.
std::string outcome_text(const RuleUnit& rule, const Facts& facts) {
    const Situation situation = situation_of(facts, tables());
    const Verdict verdict = run_rule(rule, facts, tables(), situation);
    switch (verdict.kind) {
        case Verdict::Kind::clear:
            return "clear\n";
        case Verdict::Kind::not_applicable:
            return "not applicable\n";
        case Verdict::Kind::unknown:
            return "unknown: " + join(verdict.missing, ", ") + "\n";
        case Verdict::Kind::fired:
            break;
    }
    Diagnosis diagnosis;
    diagnosis.findings = verdict.findings;
    diagnosis.situation = situation;
    const Catalogue words = Catalogue::load(Lang::en).value();
    const Report report = make_report(facts, tables(), diagnosis, library(), words, ReportContext{});
    std::string out = "fired\n";
    for (const ShownFinding& shown : report.findings) {
        out += finding_text(shown);
    }
    return out;
}

Facts facts_from(const Block& block) {
    Facts facts;
    const Result<Json> tree = parse_toml(block.text);
    EXPECT_TRUE(tree.has_value()) << (tree ? "" : tree.error().message);
    if (tree) {
        const Result<void> assigned = assign_facts(facts, *tree);
        EXPECT_TRUE(assigned.has_value()) << (assigned ? "" : assigned.error().message);
    }
    return facts;
}

class RuleCase : public ::testing::Test {
public:
    RuleCase(std::string path, const RuleUnit* rule, Case one)
        : path_(std::move(path)), rule_(rule), case_(std::move(one)) {}

    void TestBody() override {
        const Block* facts_block = case_.find("facts");
        const Block* expect = case_.find("expect");
        ASSERT_TRUE(facts_block != nullptr && expect != nullptr)
            << "a case needs a facts and an expect block";
        const std::string actual = outcome_text(*rule_, facts_from(*facts_block));
        if (accepting() && actual != expect->text) {
            accept_block(path_, case_.name, *expect, actual);
            return;
        }
        EXPECT_EQ(actual, expect->text) << path_ << ": WHYGPU_ACCEPT=1 rewrites the block";
    }

private:
    std::string path_;
    const RuleUnit* rule_;
    Case case_;
};

// A rule all of whose facts, or one of whose needs, are unknown must never say that all is well.
class RuleWithoutFacts : public ::testing::Test {
public:
    explicit RuleWithoutFacts(const RuleUnit* rule, std::vector<Case> cases)
        : rule_(rule), cases_(std::move(cases)) {}

    void TestBody() override {
        const Facts nothing;
        const Verdict verdict = run_rule(*rule_, nothing, tables(), situation_of(nothing, tables()));
        EXPECT_EQ(verdict.kind, Verdict::Kind::unknown) << "with no fact at all";
        for (const Case& one : cases_) {
            const Block* block = one.find("facts");
            for (const std::string& need : rule_->document.needs) {
                Facts facts = facts_from(*block);
                ASSERT_TRUE(forget_fact(facts, need, Missing::denied, "forgotten by the test")) << need;
                const Verdict without = run_rule(*rule_, facts, tables(), situation_of(facts, tables()));
                EXPECT_TRUE(without.kind == Verdict::Kind::unknown ||
                            without.kind == Verdict::Kind::not_applicable)
                    << one.name << " without " << need;
            }
        }
    }

private:
    const RuleUnit* rule_;
    std::vector<Case> cases_;
};

class ProbeCase : public ::testing::Test {
public:
    ProbeCase(std::string path, const ProbeUnit* probe, Case one)
        : path_(std::move(path)), probe_(probe), case_(std::move(one)) {}

    void TestBody() override {
        const Block* answers = case_.find("answers");
        const Block* expect = case_.find("expect");
        ASSERT_TRUE(answers != nullptr && expect != nullptr) << "a case needs an answers and an expect block";
        ASSERT_FALSE(lines_of(expect->text).empty()) << "nothing is expected";
        const std::unique_ptr<Host> host = host_from_answers(answers->text);
        ASSERT_NE(host, nullptr);
        Facts facts;
        probe_->probe(*host, facts);
        const std::string actual = actual_lines(flattened(facts), expect->text);
        if (accepting() && actual != expect->text) {
            accept_block(path_, case_.name, *expect, actual);
            return;
        }
        EXPECT_EQ(actual, expect->text) << path_;
    }

private:
    // The expected paths with what they are now.
    static std::string actual_lines(const std::map<std::string, std::string>& values,
                                    const std::string& expected) {
        std::string out;
        for (const std::string_view line : lines_of(expected)) {
            const std::string path(trimmed(line.substr(0, line.find(" = "))));
            const auto found = values.find(path);
            out += path + " = " + (found == values.end() ? "(no such fact)" : found->second) + "\n";
        }
        return out;
    }

    std::string path_;
    const ProbeUnit* probe_;
    Case case_;
};

std::string test_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

template <class Test, class Unit>
void register_cases(const std::string& path, const std::string& id, const Unit* unit,
                    const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        ::testing::RegisterTest(test_name(id).c_str(), test_name(one.name).c_str(), nullptr, nullptr,
                                path.c_str(), 1,
                                [=]() -> ::testing::Test* { return new Test(path, unit, one); });
    }
}

void register_all() {
    std::size_t rule = 0;
    std::size_t probe = 0;
    for (const UnitSource& source : unit_sources()) {
        const std::string path = std::string(WHYGPU_SOURCE_DIR) + "/src/" + std::string(source.path) + ".md";
        const std::vector<Case> cases = cases_of(read_source(path));
        if (source.kind == UnitKind::probe) {
            const ProbeUnit* unit = &library().probes()[probe++];
            register_cases<ProbeCase>(path, unit->document.id, unit, cases);
            continue;
        }
        const RuleUnit* unit = &library().rules()[rule++];
        register_cases<RuleCase>(path, unit->document.id, unit, cases);
        ::testing::RegisterTest(test_name(unit->document.id).c_str(), "never_green_without_facts", nullptr,
                                nullptr, path.c_str(), 1,
                                [=]() -> ::testing::Test* { return new RuleWithoutFacts(unit, cases); });
    }
}

}  // namespace
}  // namespace whygpu::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    whygpu::testing::register_all();
    return RUN_ALL_TESTS();
}
