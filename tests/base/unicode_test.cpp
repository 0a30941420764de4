#include "base/unicode.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using testing::ElementsAre;

// ---- printable ----

TEST(Printable, PlainTextAndLineEndsStay) {
    EXPECT_EQ(printable("one\ntwo\r\n显存 ✓"), "one\ntwo\n显存 ✓");
    EXPECT_EQ(printable(""), "");
}

TEST(Printable, ColoursAndCursorMovesGo) {
    EXPECT_EQ(printable("\x1b[1;31mERROR\x1b[0m: \x1b[2Kfailed\x1b[?25h"), "ERROR: failed");
}

TEST(Printable, WindowTitlesAndLinksGo) {
    EXPECT_EQ(printable("\x1b]0;title\a"
                        "text"),
              "text");
    EXPECT_EQ(printable("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\"), "link");
    EXPECT_EQ(printable("\x1bPqdata\x1b\\after"), "after");
}

TEST(Printable, OneCharacterFormsOfEscapesGoToo) {
    EXPECT_EQ(printable("a\xC2\x9B"
                        "31mb"),
              "ab");
    EXPECT_EQ(printable("a\xC2\x9Dtitle\xC2\x9C"
                        "b"),
              "ab");
    EXPECT_EQ(printable("a\xC2\x85"
                        "b"),
              "ab");
}

TEST(Printable, OtherEscapesGo) {
    EXPECT_EQ(printable("\x1b(Ba\x1b=b\x1b"
                        "7c"),
              "abc");
}

TEST(Printable, LoneAndUnfinishedEscapes) {
    EXPECT_EQ(printable("a\x1b"), "a");
    EXPECT_EQ(printable("a\x1b["), "a");
    EXPECT_EQ(printable("a\x1b[31"), "a");
    EXPECT_EQ(printable("a\x1b[3\nb"), "a\nb");
    EXPECT_EQ(printable("a\x1b[3\x1b[0mb"), "ab");
    EXPECT_EQ(printable("\x1b\x1b[0mb"), "b");
}

TEST(Printable, UnfinishedStringEndsWithItsLine) {
    EXPECT_EQ(printable("a\x1b]0;hidden\nb"), "a\nb");
}

TEST(Printable, ProgressBarKeepsItsLastState) {
    EXPECT_EQ(printable("10%\r 50%\r100%\ndone"), "100%\ndone");
    EXPECT_EQ(printable("100%\r\x1b[K\r\n"), "100%\n");
    EXPECT_EQ(printable("abc\r"), "abc");
}

TEST(Printable, ControlsGoTabsBecomeSpaces) {
    EXPECT_EQ(printable(std::string_view("a\0b\bc\x7F\td", 8)), "abc    d");
}

TEST(Printable, BrokenUtf8IsReplacedByteByByte) {
    EXPECT_EQ(printable("a\xFF"
                        "b"),
              "a\xEF\xBF\xBD"
              "b");
    EXPECT_EQ(printable("\xE6\x98"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // cut off
    EXPECT_EQ(printable("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
    EXPECT_EQ(printable("\x9B"
                        "31m"),
              "\xEF\xBF\xBD"
              "31m");  // C1 is no single byte in UTF-8
}

TEST(Printable, CharactersThatReorderTextGo) {
    EXPECT_EQ(printable("a\u202Eb\u2066c\u2029d\uFEFF"), "abcd");
}

TEST(Printable, ManyEscapesTakeLinearTime) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        text += "\x1b[\r";
    }
    EXPECT_EQ(printable(text + "x"), "x");
}

// ---- widths ----

TEST(DisplayWidth, WideNarrowAndZero) {
    EXPECT_EQ(display_width("GPU"), 3);
    EXPECT_EQ(display_width("显存不足"), 8);
    EXPECT_EQ(display_width("，。（）"), 8);
    EXPECT_EQ(display_width("ｆｕｌｌ"), 8);
    EXPECT_EQ(display_width("かな カナ 한글"), 14);
    EXPECT_EQ(display_width("🚀✅"), 4);
    EXPECT_EQ(display_width("𠀀"), 2);       // beyond the basic plane
    EXPECT_EQ(display_width("e\u0301"), 1);  // combining acute
    EXPECT_EQ(display_width("か\u3099"), 2);
    EXPECT_EQ(display_width("✓ ✗ – … · →"), 11);
    EXPECT_EQ(display_width(""), 0);
}

TEST(DisplayWidth, InvalidBytesCountOne) {
    EXPECT_EQ(display_width("\xFF\xE6\x98"), 3);
}

TEST(Padded, CountsColumnsNotBytes) {
    EXPECT_EQ(padded("驱动", 6), "驱动  ");
    EXPECT_EQ(padded("abc", 6), "abc   ");
    EXPECT_EQ(padded("too wide", 3), "too wide");
    EXPECT_EQ(padded("a", -5), "a");
}

TEST(Shortened, EllipsisFitsInside) {
    EXPECT_EQ(shortened("abcdef", 6), "abcdef");
    EXPECT_EQ(shortened("abcdef", 4), "abc…");
    EXPECT_EQ(shortened("abcdef", 4, true), "a...");
    EXPECT_EQ(shortened("显存不足", 6), "显存…");
    EXPECT_EQ(shortened("显存不足", 5), "显存…");
}

TEST(Shortened, NarrowerThanTheEllipsis) {
    EXPECT_EQ(shortened("abcdef", 1), "…");
    EXPECT_EQ(shortened("abcdef", 2, true), "..");
    EXPECT_EQ(shortened("abcdef", 0), "");
    EXPECT_EQ(shortened("abcdef", -1), "");
}

TEST(Shortened, MarksStayWithTheirLetter) {
    EXPECT_EQ(shortened("e\u0301abc", 2), "e\u0301…");
}

// ---- wrapping ----

TEST(Wrapped, BreaksAtSpaces) {
    EXPECT_THAT(wrapped("the driver is not loaded", 10), ElementsAre("the driver", "is not", "loaded"));
}

TEST(Wrapped, LongWordStaysWhole) {
    EXPECT_THAT(wrapped("see https://download.pytorch.org/whl now", 10),
                ElementsAre("see", "https://download.pytorch.org/whl", "now"));
}

TEST(Wrapped, NeverEmpty) {
    EXPECT_THAT(wrapped("", 10), ElementsAre(""));
    EXPECT_THAT(wrapped("   ", 10), ElementsAre(""));
}

TEST(Wrapped, LineEndsAndIndentsStay) {
    EXPECT_THAT(wrapped("one\n\n  two  three\n", 20), ElementsAre("one", "", "  two  three"));
}

TEST(Wrapped, BreaksBetweenWideCharacters) {
    EXPECT_THAT(wrapped("显卡驱动没有加载", 6), ElementsAre("显卡驱", "动没有", "加载"));
}

TEST(Wrapped, NoLineBeginsWithClosingPunctuation) {
    EXPECT_THAT(wrapped("显卡驱动，没有加载。", 8), ElementsAre("显卡驱", "动，没有", "加载。"));
    for (const char* mark : {"。", "，", "、", "）", "：", "；", "！", "？", "”", "…", "》"}) {
        EXPECT_THAT(wrapped(std::string("显卡") + mark, 4), ElementsAre("显", std::string("卡") + mark));
    }
}

TEST(Wrapped, NoLineEndsWithOpeningPunctuation) {
    EXPECT_THAT(wrapped("驱动（没有）", 6), ElementsAre("驱动", "（没", "有）"));
}

TEST(Wrapped, LatinWordsAmongWideCharactersStayWhole) {
    EXPECT_THAT(wrapped("请安装nvidia-smi程序", 12), ElementsAre("请安装", "nvidia-smi程", "序"));
}

TEST(Wrapped, NoColumnsAtAll) {
    EXPECT_THAT(wrapped("a b", 0), ElementsAre("a", "b"));
    EXPECT_THAT(wrapped("a b", -3), ElementsAre("a", "b"));
}

TEST(Wrapped, JoinedEmojiAreNotCut) {
    EXPECT_THAT(wrapped("👩\u200D💻👩\u200D💻", 4), ElementsAre("👩\u200D💻", "👩\u200D💻"));
}

// ---- ASCII ----

TEST(AsciiOnly, SignsBecomeLookAlikes) {
    EXPECT_EQ(ascii_only("✓ ✗ – … · → ≥ ≤ ×"), "+ x - ... - -> >= <= x");
    EXPECT_EQ(ascii_only("“a” ’ ● ├ └ │ ─"), "\"a\" ' * | ` | -");
}

TEST(AsciiOnly, OthersBecomeQuestionMarks) {
    EXPECT_EQ(ascii_only("显存 e\u0301 \xFF"), "?? e ?");
}

}  // namespace
}  // namespace whygpu
