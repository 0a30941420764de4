#include <gmock/gmock.h>

#include "facts/access.h"

namespace whygpu {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

Facts assigned(std::string_view json) {
    Facts facts;
    const Result<Json> tree = parse_json(json);
    EXPECT_TRUE(tree.has_value()) << json;
    const Result<void> done = assign_facts(facts, tree.value_or(Json()));
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    return facts;
}

std::string error_of(std::string_view json) {
    Facts facts;
    const Result<Json> tree = parse_json(json);
    EXPECT_TRUE(tree.has_value()) << json;
    const Result<void> done = assign_facts(facts, tree.value_or(Json()));
    EXPECT_EQ(flattened(facts), flattened(Facts{})) << "a failed assignment left something behind";
    return done ? "no error" : done.error().message;
}

TEST(AssignFacts, ValuesOfEachType) {
    const Facts facts = assigned(R"({"kernel": {"release": "6.8.0", "secure_boot": true},
        "os": {"user_id": 1000, "groups": ["video", "render"]}})");
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_TRUE(facts.kernel.secure_boot.is(true));
    EXPECT_TRUE(facts.os.user_id.is(1000));
    EXPECT_THAT(*facts.os.groups, ElementsAre("video", "render"));
    EXPECT_EQ(facts.kernel.lockdown.why(), Missing::not_asked);
}

TEST(AssignFacts, ValueIsItsOwnEvidence) {
    const Facts facts = assigned(R"({"kernel": {"release": "6.8.0", "secure_boot": true},
        "os": {"groups": ["a", "b"]}})");
    EXPECT_EQ(facts.kernel.release.source().origin, "case");
    EXPECT_EQ(facts.kernel.release.source().text, "6.8.0");
    EXPECT_EQ(facts.kernel.secure_boot.source().text, "true");
    EXPECT_EQ(facts.os.groups.source().text, "a, b");
}

TEST(AssignFacts, SourceOfAValue) {
    const Facts facts = assigned(R"({"kernel": {
        "release": {"value": "6.8.0", "source": "/proc/version", "line": 3, "text": "Linux version 6.8.0"},
        "lockdown": {"value": "none", "source": "/sys/kernel/security/lockdown"}}})");
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_EQ(facts.kernel.release.source().origin, "/proc/version");
    EXPECT_EQ(facts.kernel.release.source().line, 3);
    EXPECT_EQ(facts.kernel.release.source().text, "Linux version 6.8.0");
    EXPECT_EQ(facts.kernel.lockdown.source().origin, "/sys/kernel/security/lockdown");
    EXPECT_EQ(facts.kernel.lockdown.source().text, "none");
}

TEST(AssignFacts, MissingFacts) {
    const Facts facts =
        assigned(R"({"kernel": {"lockdown": {"missing": "denied", "because": "permission denied"},
        "release": {"missing": "timed_out"}}, "pci": {"gpus": {"missing": "absent", "because": "no PCI bus"}}})");
    EXPECT_EQ(facts.kernel.lockdown.why(), Missing::denied);
    EXPECT_EQ(facts.kernel.lockdown.because(), "permission denied");
    EXPECT_EQ(facts.kernel.release.because(), "timed_out");
    EXPECT_EQ(facts.pci.gpus.why(), Missing::absent);
}

TEST(AssignFacts, ListsOfStructures) {
    const Facts facts = assigned(R"({"pci": {"gpus": [
        {"address": "0000:01:00.0", "vendor_id": "10de", "link_width": 8, "link_speed_gts": 16},
        {"driver": {"missing": "absent", "because": "no driver bound"}}]},
        "environment": {"variables": [{"name": "CUDA_VISIBLE_DEVICES", "value": ""}]}})");
    ASSERT_EQ(facts.pci.gpus->size(), 2U);
    const PciFacts::Device& first = facts.pci.gpus->front();
    EXPECT_TRUE(first.vendor_id.is("10de"));
    EXPECT_TRUE(first.link_width.is(8));
    EXPECT_TRUE(first.link_speed_gts.is(16.0));
    EXPECT_EQ(first.address.source().origin, "case");
    EXPECT_EQ(first.driver.why(), Missing::not_asked);
    EXPECT_EQ(facts.pci.gpus->back().driver.why(), Missing::absent);
    EXPECT_EQ(facts.pci.gpus.source().origin, "case");
    EXPECT_TRUE(facts.environment.variables->front().value.is(""));
}

TEST(AssignFacts, TomlGivesTheSame) {
    Facts facts;
    const Result<Json> tree =
        parse_toml("[kernel]\nrelease = '6.8.0'\n[[pci.gpus]]\naddress = '0000:01:00.0'\nlink_width = 8\n");
    ASSERT_TRUE(tree.has_value());
    ASSERT_TRUE(assign_facts(facts, *tree).has_value());
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_TRUE(facts.pci.gpus->front().link_width.is(8));
}

TEST(AssignFacts, FactsNotNamedStay) {
    Facts facts = assigned(R"({"kernel": {"release": "6.8.0", "secure_boot": true}})");
    ASSERT_TRUE(assign_facts(facts, *parse_json(R"({"kernel": {"secure_boot": false}})")).has_value());
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_TRUE(facts.kernel.secure_boot.is(false));
}

TEST(AssignFacts, UnknownNamesAreErrors) {
    EXPECT_EQ(error_of(R"({"kernel": {"relase": "6.8.0"}})"), "kernel.relase: there is no such fact");
    EXPECT_EQ(error_of(R"({"kernel": {"release": "6.8.0"}, "kernal": {}})"),
              "kernal: there is no such section");
    EXPECT_EQ(error_of(R"({"pci": {"gpus": [{}, {"adress": "x"}]}})"),
              "pci.gpus[1].adress: there is no such fact");
    EXPECT_EQ(error_of(R"({"kernel": {"release": {"value": "x", "sorce": "/p"}}})"),
              "kernel.release.sorce: there is no such key");
}

TEST(AssignFacts, WrongTypesAreErrors) {
    EXPECT_EQ(error_of(R"({"kernel": {"release": 6}})"), "kernel.release: expected a text");
    EXPECT_EQ(error_of(R"({"kernel": {"secure_boot": "yes"}})"),
              "kernel.secure_boot: expected true or false");
    EXPECT_EQ(error_of(R"({"os": {"user_id": 1.5}})"), "os.user_id: expected a whole number");
    EXPECT_EQ(error_of(R"({"os": {"groups": ["a", 1]}})"), "os.groups: expected a list of texts");
    EXPECT_EQ(error_of(R"({"pci": {"gpus": [{"link_speed_gts": "16"}]}})"),
              "pci.gpus[0].link_speed_gts: expected a number");
    EXPECT_EQ(error_of(R"({"pci": {"gpus": {"value": []}}})"), "pci.gpus: expected a list of tables");
    EXPECT_EQ(error_of(R"({"pci": {"gpus": ["x"]}})"), "pci.gpus[0]: expected a table of facts");
    EXPECT_EQ(error_of(R"({"kernel": 3})"), "kernel: expected a table of facts");
    EXPECT_EQ(error_of("[]"), "facts: expected a table of sections");
    EXPECT_EQ(error_of(R"({"kernel": {"release": null}})"), "kernel.release: expected a text");
}

TEST(AssignFacts, WrongReasonsAndSourcesAreErrors) {
    EXPECT_EQ(error_of(R"({"kernel": {"release": {"missing": "gone"}}})"),
              "kernel.release: 'gone' is no kind of missing fact");
    EXPECT_THAT(error_of(R"({"kernel": {"release": {"missing": "absent", "value": "x"}}})"),
                StartsWith("kernel.release.value: "));
    EXPECT_THAT(error_of(R"({"kernel": {"release": {"value": "x", "line": -1}}})"),
                StartsWith("kernel.release.line: "));
    EXPECT_THAT(error_of(R"({"kernel": {"release": {"value": "x", "source": 1}}})"),
                StartsWith("kernel.release.source: "));
}

}  // namespace
}  // namespace whygpu
