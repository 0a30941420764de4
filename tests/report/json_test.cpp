#include "base/json.h"

#include <gmock/gmock.h>

#include "report/made_report.h"

namespace whygpu {
namespace {

using ::testing::ElementsAre;
using testing::made_report;

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    const Json::Object* members = object.as_object();
    EXPECT_NE(members, nullptr);
    for (const auto& [name, value] : members == nullptr ? Json::Object{} : *members) {
        names.push_back(name);
    }
    return names;
}

Json rendered(const Report& report) {
    const std::string text = render_json(report);
    EXPECT_TRUE(text.ends_with("}\n"));
    const Result<Json> json = parse_json(text);
    EXPECT_TRUE(json.has_value()) << text;
    return json ? *json : Json();
}

const Json& first_of(const Json& object, const std::string& key) {
    static const Json nothing;
    const Json* list = object.find(key);
    const bool there = list != nullptr && list->as_array() != nullptr && !list->as_array()->empty();
    EXPECT_TRUE(there) << key;
    return there ? list->as_array()->front() : nothing;
}

TEST(JsonReport, HasTheFieldsOfTheContract) {
    const Json report = rendered(made_report());
    EXPECT_THAT(keys(report), ElementsAre("schema", "whygpu", "command", "verdict", "headline", "machine",
                                          "findings", "facts", "checked", "unknown", "elapsed_ms"));
    EXPECT_EQ(report.text("schema"), "whygpu.report/1");
    EXPECT_EQ(report.text("verdict"), "broken");
    EXPECT_EQ(report.text("command"), "doctor");
    EXPECT_THAT(keys(*report.find("checked")), ElementsAre("fired", "clear", "not_applicable", "unknown"));
    EXPECT_EQ(first_of(report, "unknown").text("rule"), "os.kernel-said");
    EXPECT_THAT(first_of(report, "unknown").texts("missing"), ElementsAre("kernel_log.messages"));
}

TEST(JsonReport, FindingHasTheFieldsOfTheContract) {
    const Json report = rendered(made_report());
    const Json& finding = first_of(report, "findings");
    EXPECT_THAT(keys(finding),
                ElementsAre("id", "area", "severity", "role", "confidence", "subject", "title", "explanation",
                            "evidence", "explains", "candidates", "fix", "verify", "next_test", "docs"));
    EXPECT_EQ(finding.text("area"), "driver");
    EXPECT_EQ(finding.text("role"), "root");
    EXPECT_TRUE(finding.find("next_test")->is_null());
    EXPECT_THAT(finding.texts("explains"), ElementsAre("framework.no-gpu"));
    EXPECT_THAT(keys(first_of(finding, "fix")),
                ElementsAre("title", "commands", "safety", "needs_root", "reboot", "undo"));
    EXPECT_EQ(first_of(finding, "fix").text("safety"), "caution");
}

TEST(JsonReport, EvidenceWithoutALineSaysSo) {
    Report report = made_report();
    const Json with_line = rendered(report);
    EXPECT_EQ(*first_of(first_of(with_line, "findings"), "evidence").find("line")->as_int(), 12);
    report.findings[0].finding.evidence[0].line = 0;
    const Json without = rendered(report);
    EXPECT_TRUE(first_of(first_of(without, "findings"), "evidence").find("line")->is_null());
}

TEST(JsonReport, NextTestIsTextWhenThereIsOne) {
    Report report = made_report();
    report.findings[0].finding.next_test = "sudo dmesg";
    report.findings[0].finding.candidates = {"driver.a", "driver.b"};
    const Json json = rendered(report);
    EXPECT_EQ(first_of(json, "findings").text("next_test"), "sudo dmesg");
    EXPECT_THAT(first_of(json, "findings").texts("candidates"), ElementsAre("driver.a", "driver.b"));
}

TEST(JsonReport, HostileTextStaysText) {
    Report report = made_report();
    report.findings[0].title = "\", \"verdict\": \"ok\x1b[2J\n\xff";
    EXPECT_EQ(rendered(report).text("verdict"), "broken");
}

TEST(JsonReport, WithoutFindingsHasAnEmptyList) {
    Report report = made_report();
    report.findings.clear();
    const Json json = rendered(report);
    ASSERT_NE(json.find("findings")->as_array(), nullptr);
    EXPECT_TRUE(json.find("findings")->as_array()->empty());
}

}  // namespace
}  // namespace whygpu
