#include "base/json.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Json parsed(std::string_view text) {
    const Result<Json> result = parse_json(text);
    EXPECT_TRUE(result.has_value()) << text;
    return result ? *result : Json();
}

std::string error_of(std::string_view text) {
    const Result<Json> result = parse_json(text);
    return result ? "no error" : result.error().message;
}

TEST(ParseJson, KindsOfValues) {
    const Json json =
        parsed(R"({"a": 1, "b": -2.5, "c": "x", "d": true, "e": null, "f": [1, "y"], "g": {}})");
    EXPECT_EQ(*json.find("a")->as_int(), 1);
    EXPECT_EQ(json.find("a")->as_double(), nullptr);
    EXPECT_EQ(*json.find("b")->as_double(), -2.5);
    EXPECT_EQ(json.text("c"), "x");
    EXPECT_TRUE(*json.find("d")->as_bool());
    EXPECT_TRUE(json.find("e")->is_null());
    EXPECT_THAT(json.texts("f"), ElementsAre("y"));
    EXPECT_TRUE(json.find("g")->as_object()->empty());
    EXPECT_EQ(json.find("h"), nullptr);
}

TEST(ParseJson, OrderOfMembersStays) {
    EXPECT_EQ(to_text(parsed(R"({"z":1,"a":2})")), R"({"z":1,"a":2})");
}

TEST(ParseJson, LastOfDuplicateKeysWins) {
    const Json json = parsed(R"({"a": 1, "b": 2, "a": 3})");
    EXPECT_EQ(*json.find("a")->as_int(), 3);
    EXPECT_EQ(json.as_object()->size(), 2U);
}

TEST(ParseJson, ManyKeysTakeLinearTime) {
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i) {
        text += "\"" + std::to_string(i % 60'000) + "\":0,";
    }
    text += "\"last\":1}";
    const Json json = parsed(text);
    EXPECT_EQ(json.as_object()->size(), 60'001U);
    EXPECT_GT(to_text(json).size(), 60'000U);
}

TEST(ParseJson, NumbersAtTheLimits) {
    EXPECT_EQ(*parsed("9223372036854775807").as_int(), INT64_MAX);
    EXPECT_EQ(*parsed("-9223372036854775808").as_int(), INT64_MIN);
    EXPECT_EQ(*parsed("9223372036854775808").as_double(), 9223372036854775808.0);
    EXPECT_EQ(*parsed("123456789012345678901234567890").as_double(), 123456789012345678901234567890.0);
    EXPECT_THAT(error_of("\n1e999"), HasSubstr("line 2: a number is too large"));
    EXPECT_NE(error_of("NaN"), "no error");
    EXPECT_NE(error_of("Infinity"), "no error");
}

TEST(ParseJson, ErrorsNameTheLine) {
    EXPECT_THAT(error_of("{\n\"a\": 1,\n}"), HasSubstr("line 3"));
    for (const char* text : {"", "{", "[1,", "{} x", "tru", "'a'", "{\"a\" 1}", "[1] [2]", "\"\\ud800\""}) {
        EXPECT_NE(error_of(text), "no error") << text;
    }
}

TEST(ParseJson, BrokenUtf8IsAnError) {
    EXPECT_NE(error_of("\"\xFF\""), "no error");
    EXPECT_NE(error_of("\"\xE6\x98\""), "no error");
}

TEST(ParseJson, NestingIsBounded) {
    const auto nested = [](std::size_t levels) {
        return std::string(levels, '[') + std::string(levels, ']');
    };
    EXPECT_EQ(error_of(nested(64)), "no error");
    EXPECT_THAT(error_of(nested(65)), HasSubstr("nested"));
    EXPECT_THAT(error_of(nested(100'000)), HasSubstr("nested"));
    EXPECT_THAT(error_of(std::string(100'000, '[')), HasSubstr("nested"));
    std::string objects;
    for (int i = 0; i < 100'000; ++i) {
        objects += "{\"a\":";
    }
    EXPECT_THAT(error_of(objects), HasSubstr("nested"));
}

TEST(ToText, RoundTrip) {
    const std::string text = R"({"a":[1,2.5,16.0,"x\n\"",true,null],"b":{"c":-3}})";
    EXPECT_EQ(to_text(parsed(text)), text);
    EXPECT_EQ(to_text(parsed(R"({"a":[1]})"), 2), "{\n  \"a\": [\n    1\n  ]\n}");
}

TEST(ToText, InvalidUtf8IsReplaced) {
    EXPECT_EQ(to_text(Json("a\xFFz")), "\"a\xEF\xBF\xBDz\"");
}

TEST(JsonTree, BuildsAndReplaces) {
    Json json;
    json.set("a", 1).set("b", Json::array_of({"x", "y"})).set("a", 2);
    EXPECT_EQ(to_text(json), R"({"a":2,"b":["x","y"]})");
    Json list;
    list.push(1).push("two");
    EXPECT_EQ(to_text(list), R"([1,"two"])");
    EXPECT_EQ(to_text(Json::array()), "[]");
    EXPECT_EQ(to_text(Json::object()), "{}");
}

TEST(JsonTree, OtherTypesGiveEmptyTexts) {
    const Json json = parsed(R"({"a": 1})");
    EXPECT_EQ(json.text("a"), "");
    EXPECT_THAT(json.texts("a"), IsEmpty());
    EXPECT_EQ(Json("text").find("a"), nullptr);
}

}  // namespace
}  // namespace whygpu
