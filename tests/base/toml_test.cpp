#include <gmock/gmock.h>

#include "base/json.h"

namespace whygpu {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string as_json(std::string_view toml) {
    const Result<Json> result = parse_toml(toml);
    return result ? to_text(*result) : "error: " + result.error().message;
}

TEST(ParseToml, KindsOfValues) {
    EXPECT_EQ(as_json("s = 'x'\ni = -1\nf = 2.5\nb = true\na = ['p', 2]\n"),
              R"({"s":"x","i":-1,"f":2.5,"b":true,"a":["p",2]})");
    EXPECT_EQ(as_json(""), "{}");
}

TEST(ParseToml, AnyLanguage) {
    EXPECT_EQ(as_json("a = 'é · × 显存' # é\n\"ключ\" = '一'\n"), R"({"a":"é · × 显存","ключ":"一"})");
    EXPECT_THAT(as_json("a·b = 1\n"), StartsWith("error: line 1: "));
    EXPECT_THAT(as_json("a = ×\n"), StartsWith("error: line 1: "));
}

TEST(ParseToml, TablesKeepTheOrderOfTheDocument) {
    EXPECT_EQ(as_json("z = 1\na = 2\n[t]\nq = 1\n[b]\n[[fix]]\nstep = 'x'\n[[fix]]\nstep = 'y'\n"),
              R"({"z":1,"a":2,"t":{"q":1},"b":{},"fix":[{"step":"x"},{"step":"y"}]})");
}

TEST(ParseToml, DatesBecomeTheirText) {
    EXPECT_EQ(
        as_json("d = 2025-03-09\nt = 07:05:01.25\nm = 2025-03-09T07:05:01Z\no = 2025-03-09T07:05:01-08:30\n"),
        R"({"d":"2025-03-09","t":"07:05:01.25","m":"2025-03-09T07:05:01Z","o":"2025-03-09T07:05:01-08:30"})");
}

TEST(ParseToml, ErrorsNameTheLine) {
    EXPECT_THAT(as_json("a = 1\nb = \nc = 2\n"), StartsWith("error: line 2: "));
    EXPECT_THAT(as_json("a = 1\n\na = 2\n"), StartsWith("error: line 3: "));
    EXPECT_THAT(as_json("a = 'open"), StartsWith("error: line 1: "));
    EXPECT_THAT(as_json("a = 99999999999999999999\n"), StartsWith("error: line 1: "));
    EXPECT_THAT(as_json("a = 1e99999\n"), StartsWith("error: line 1: "));
}

TEST(ParseToml, WhatTheLibraryAssertsIsAnError) {
    for (const char* text :
         {"[[{", "[{]", "[[ ]]", "[", "[[", "= 1", "a.", "a = ", "{", "a = {b", "a = [1"}) {
        EXPECT_THAT(as_json(text), StartsWith("error: line 1: ")) << text;
    }
}

TEST(ParseToml, BrokenUtf8IsAnError) {
    EXPECT_THAT(as_json("ok = 1\na = '\xFF\xFE'\n"), StartsWith("error: line 2: "));
    EXPECT_THAT(as_json("a = '\xE6\x98"), StartsWith("error: "));
}

TEST(ParseToml, NestingIsBounded) {
    EXPECT_THAT(as_json("a = " + std::string(100'000, '[')), StartsWith("error: line 1: "));
    EXPECT_THAT(as_json("a = " + std::string(70, '[') + std::string(70, ']')), StartsWith("error: line 1: "));
    std::string inline_tables = "a = ";
    for (int i = 0; i < 100'000; ++i) {
        inline_tables += "{a=";
    }
    EXPECT_THAT(as_json(inline_tables), StartsWith("error: line 1: "));
}

TEST(ParseToml, DottedKeysAreBounded) {
    std::string key = "a";
    for (int i = 0; i < 100'000; ++i) {
        key += ".a";
    }
    EXPECT_THAT(as_json("x = 1\n" + key + " = 1\n"), HasSubstr("line 2: more than 256 dots"));
    EXPECT_THAT(as_json("[" + key + "]\n"), HasSubstr("line 1: more than 256 dots"));
    EXPECT_THAT(as_json(key.substr(0, 201) + " = 1\n"), HasSubstr("nested more than 64"));
}

TEST(ParseToml, DottedKeysInNestedTablesAreBounded) {
    const std::string key = "a" + [] {
        std::string dots;
        for (int i = 0; i < 250; ++i) {
            dots += ".a";
        }
        return dots;
    }();
    std::string text = "a = [\n";
    for (int i = 0; i < 30; ++i) {
        text += "{" + key + "=[\n";
    }
    for (int i = 0; i < 30; ++i) {
        text += "]}\n";
    }
    EXPECT_THAT(as_json(text + "]\n"), StartsWith("error: "));
}

}  // namespace
}  // namespace whygpu
