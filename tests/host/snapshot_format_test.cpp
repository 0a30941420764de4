#include "host/snapshot_format.h"

#include <gmock/gmock.h>

#include "host/base64.h"
#include "host/body_text.h"

namespace whygpu {

namespace {

using testing::HasSubstr;

Answer text_answer(const std::string& text) {
    Answer answer;
    answer.text = text;
    return answer;
}

Answer missing_answer(Missing why, const std::string& because, const std::string& text = "") {
    Answer answer = text_answer(text);
    answer.missing = why;
    answer.because = because;
    return answer;
}

void expect_round_trip(const Query& query, const Answer& answer) {
    const std::string text = format_answers({{query, answer}});
    const Result<RecordedAnswers> parsed = parse_answers(text);
    ASSERT_TRUE(parsed.has_value()) << parsed.error().message << "\n" << text;
    EXPECT_EQ(parsed->records, (Records{{query, answer}})) << text;
}

TEST(SnapshotFormat, ReadsLikeANote) {
    Records records;
    records[{QueryKind::file, "/proc/version"}] = text_answer("Linux version 6.8.0-64-generic\n");
    records[{QueryKind::file, "/etc/shadow"}] = missing_answer(Missing::denied, "permission denied");
    records[{QueryKind::directory, "/sys/bus/pci/devices"}] = text_answer("0000:01:00.0\n");
    records[{QueryKind::link, "/sys/bus/pci/devices/0000:01:00.0/driver"}] = text_answer("../nvidia");
    records[{QueryKind::command, "systemctl show x.service --property=ActiveState"}] = text_answer("no\n");
    records[{QueryKind::command, "systemctl show x.service --property=ActiveState"}].exit_code = 3;
    records[{QueryKind::driver, "cuda"}] =
        missing_answer(Missing::crashed, "child ended by signal 11 (SIGSEGV)", "{\"call\":\"cuInit\"}\n");
    EXPECT_EQ(format_answers(records),
              "== file /etc/shadow [denied: permission denied]\n"
              "== file /proc/version\n"
              "Linux version 6.8.0-64-generic\n"
              "== directory /sys/bus/pci/devices\n"
              "0000:01:00.0\n"
              "== link /sys/bus/pci/devices/0000:01:00.0/driver [no newline]\n"
              "../nvidia\n"
              "== command systemctl show x.service --property=ActiveState [exit 3]\n"
              "no\n"
              "== driver cuda [crashed: child ended by signal 11 (SIGSEGV)]\n"
              "{\"call\":\"cuInit\"}\n");
    const Result<RecordedAnswers> parsed = parse_answers(format_answers(records));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->records, records);
}

TEST(SnapshotFormat, KeepsEveryText) {
    std::string all_bytes;
    for (int byte = 0; byte < 256; ++byte) {
        all_bytes += static_cast<char>(byte);
    }
    const std::string texts[] = {"",
                                 "\n",
                                 "\n\n",
                                 "no end",
                                 "two\nlines",
                                 "== file /fake\nx\n",
                                 "==\n",
                                 "\\\n\\== x\n\\\\",
                                 "# not a comment\n",
                                 "tab\there\n",
                                 "carriage\r\nreturn",
                                 std::string("nul\0", 4),
                                 "\x1b[31mred\n",
                                 "umlaut \xc3\xa4 \xe6\x98\xbe\xe5\xad\x98\n",
                                 "latin \xe4\n",
                                 "cut \xe6\x98",
                                 all_bytes,
                                 std::string(200, '\x01')};
    for (const std::string& text : texts) {
        expect_round_trip({QueryKind::file, "/x"}, text_answer(text));
        expect_round_trip({QueryKind::driver, "cuda"}, missing_answer(Missing::timed_out, "late", text));
    }
}

TEST(SnapshotFormat, KeepsEveryArgumentAndReason) {
    const std::string strange[] = {"",
                                   " ",
                                   "a b",
                                   " a ",
                                   "a [b]",
                                   "[b]",
                                   "a]",
                                   "line\nend",
                                   "%41",
                                   "100%",
                                   "%",
                                   "a; b",
                                   "a;b",
                                   "==",
                                   "\\n",
                                   "x [exit 3]",
                                   "%{NAME}=%{VERSION}\\n *nvidia*",
                                   "a: b: c",
                                   ": ",
                                   "\xff\x01"};
    for (const std::string& text : strange) {
        expect_round_trip({QueryKind::command, text}, text_answer("x\n"));
        expect_round_trip({QueryKind::file, text}, missing_answer(Missing::malformed, text));
    }
}

TEST(SnapshotFormat, KeepsEveryAttribute) {
    for (const Missing why : {Missing::absent, Missing::denied, Missing::unsupported, Missing::malformed,
                              Missing::timed_out, Missing::crashed, Missing::not_asked}) {
        Answer answer = missing_answer(why, "reason", "text without end");
        answer.truncated = true;
        answer.exit_code = -7;
        expect_round_trip({QueryKind::command, "x"}, answer);
        answer.text = "\xff";
        expect_round_trip({QueryKind::command, "x"}, answer);
    }
}

TEST(SnapshotFormat, TakesWhatPeopleWrite) {
    const Result<RecordedAnswers> parsed = parse_answers(
        "# A machine without driver\n"
        "\n"
        "== absent /proc/driver/nvidia\n"
        "\n"
        "== file /dev/kmsg [denied]\n"
        "== variables\n"
        "HOME=/root\n"
        "== file /x\n"
        "first\n"
        "== file /x\n"
        "second\n"
        "== file /last\n"
        "no end");
    ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
    EXPECT_THAT(parsed->absent_prefixes, testing::ElementsAre("/proc/driver/nvidia"));
    EXPECT_EQ(parsed->records.at({QueryKind::file, "/dev/kmsg"}).because, "denied");
    EXPECT_EQ(parsed->records.at({QueryKind::variables, ""}).text, "HOME=/root\n");
    EXPECT_EQ(parsed->records.at({QueryKind::file, "/x"}).text, "first\n");
    EXPECT_EQ(parsed->records.at({QueryKind::file, "/last"}).text, "no end\n");
    EXPECT_TRUE(parse_answers("")->records.empty());
}

TEST(SnapshotFormat, NamesTheLineOfAnError) {
    const std::pair<const char*, const char*> cases[] = {
        {"# ok\ntext\n", "line 2"},
        {"== file /x\na\n==broken\n", "line 3"},
        {"== nothing /x\n", "line 1"},
        {"== file /x\n== file /y [exit x]\n", "line 2"},
        {"== file /y [exit 99999999999]\n", "line 1"},
        {"== file /y [truncated; bogus]\n", "line 1"},
        {"== absent /x\ntext\n", "line 2"},
        {"== file /x [base64]\n!!!!\n", "line 2"},
        {"== file /x [base64]\nQUJ\n", "line 2"},
        {"==", "line 1"},
    };
    for (const auto& [text, where] : cases) {
        const Result<RecordedAnswers> parsed = parse_answers(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_THAT(parsed.error().message, HasSubstr(where)) << text;
    }
}

TEST(Base64, FollowsTheStandard) {
    EXPECT_EQ(to_base64(""), "");
    EXPECT_EQ(to_base64("f"), "Zg==\n");
    EXPECT_EQ(to_base64("fo"), "Zm8=\n");
    EXPECT_EQ(to_base64("foo"), "Zm9v\n");
    EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy\n");
    EXPECT_EQ(from_base64("Zm9v\nYmE="), "fooba");
    EXPECT_EQ(from_base64("Zg=a"), std::nullopt);
    EXPECT_EQ(from_base64("Z==="), std::nullopt);
    EXPECT_EQ(to_base64(std::string(57, 'x')).size(), 77U);
}

TEST(BodyText, KnowsUtf8) {
    EXPECT_TRUE(is_plain_text("a\tb\n\xf0\x9f\x98\x80"));
    for (const char* text :
         {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xc3", "\r", "\x7f"}) {
        EXPECT_FALSE(is_plain_text(text));
    }
}

}  // namespace

}  // namespace whygpu
