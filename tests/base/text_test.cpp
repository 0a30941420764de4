#include "base/text.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Lines, EndsAreLeftOut) {
    EXPECT_THAT(lines_of("one\ntwo\r\nthree"), ElementsAre("one", "two", "three"));
}

TEST(Lines, LastLineEndMakesNoEmptyLine) {
    EXPECT_THAT(lines_of("one\n\n"), ElementsAre("one", ""));
    EXPECT_THAT(lines_of(""), IsEmpty());
}

TEST(Lines, CarriageReturnInsideALineStays) {
    EXPECT_THAT(lines_of("10%\r20%\nx\r"), ElementsAre("10%\r20%", "x\r"));
}

TEST(Trimmed, NulsOfTheDeviceTreeGoToo) {
    EXPECT_EQ(trimmed(std::string_view(" NVIDIA Jetson\0\n", 16)), "NVIDIA Jetson");
    EXPECT_EQ(trimmed(" \t\r\n"), "");
}

TEST(Split, EmptyPiecesAreKept) {
    EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
    EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Words, AnyWhiteSpaceSeparates) {
    EXPECT_THAT(words_of("  one\ttwo \n three"), ElementsAre("one", "two", "three"));
    EXPECT_THAT(words_of(" \n"), IsEmpty());
}

TEST(Join, PutsTheSeparatorBetween) {
    EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
    EXPECT_EQ(join({}, ", "), "");
}

TEST(Lower, OnlyAsciiChanges) {
    EXPECT_EQ(lower("GeForce Ä 显卡"), "geforce Ä 显卡");
}

TEST(Prefix, GivesWhatFollows) {
    EXPECT_EQ(after_prefix("version: 3", "version: "), "3");
    EXPECT_EQ(after_prefix("ver", "version"), std::nullopt);
    EXPECT_TRUE(contains("libcuda.so.1", "cuda"));
    EXPECT_FALSE(contains("libcuda.so.1", "hip"));
}

TEST(ParseInt, WholeNumbersOnly) {
    EXPECT_EQ(parse_int("42"), 42);
    EXPECT_EQ(parse_int("-1"), -1);  // numa_node of a board whose firmware names none
    for (const char* text : {"", "-", "+1", " 1", "1 ", "0x10", "1.0", "N/A"}) {
        EXPECT_EQ(parse_int(text), std::nullopt) << text;
    }
}

TEST(ParseInt, OverflowIsNoNumber) {
    EXPECT_EQ(parse_int("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(parse_int("9223372036854775808"), std::nullopt);
    EXPECT_EQ(parse_int(std::string(100'000, '9')), std::nullopt);
}

TEST(ParseHex, WithAndWithoutPrefix) {
    EXPECT_EQ(parse_hex("0x10de"), 0x10deU);
    EXPECT_EQ(parse_hex("10DE"), 0x10deU);
    for (const char* text : {"", "0x", "-1", "10dg", "10000000000000000"}) {
        EXPECT_EQ(parse_hex(text), std::nullopt) << text;
    }
}

TEST(ParseDouble, DecimalsOnly) {
    EXPECT_EQ(parse_double("16"), 16.0);
    EXPECT_EQ(parse_double("-2.5"), -2.5);
    for (const char* text : {"", "nan", "inf", "-inf", "1e5", ".5", "5.", "1.2.3", "N/A", "8.0 GT/s"}) {
        EXPECT_EQ(parse_double(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_double("1" + std::string(400, '0')), std::nullopt);
}

TEST(Placeholders, KnownOnesAreFilledOthersStay) {
    const auto value_of = [](std::string_view name) -> std::optional<std::string> {
        return name == "gpu" ? std::optional<std::string>("RTX 5090") : std::nullopt;
    };
    EXPECT_EQ(fill_placeholders("{gpu} and {other}", value_of), "RTX 5090 and {other}");
    EXPECT_EQ(fill_placeholders("{{gpu}} {", value_of), "{gpu} {");
}

TEST(Placeholders, NamesAreSortedAndUnique) {
    EXPECT_THAT(placeholders_of("{b} {a} {b} {{c}}"), ElementsAre("a", "b"));
}

TEST(ContentHash, IsFnv1a) {
    EXPECT_EQ(content_hash(""), "cbf29ce484222325");  // published test vectors
    EXPECT_EQ(content_hash("a"), "af63dc4c8601ec8c");
    EXPECT_EQ(content_hash("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace whygpu
