#include <gmock/gmock.h>

#include <algorithm>

#include "base/text.h"
#include "report/made_report.h"

namespace whygpu {
namespace {

using ::testing::HasSubstr;
using testing::made_report;
using ::testing::Not;
using testing::words;

std::string rendered(const Report& report) {
    return render_markdown(report, words());
}

// The lines outside of fenced blocks; a failure when a fence stays open.
std::vector<std::string> prose_lines(const std::string& markdown) {
    std::vector<std::string> out;
    std::size_t open = 0;
    for (const std::string_view line : lines_of(markdown)) {
        const std::size_t run = std::min(line.find_first_not_of('`'), line.size());
        if (open == 0 && run >= 3) {
            open = run;
        } else if (open == 0) {
            out.emplace_back(line);
        } else if (run >= open && run == line.size()) {
            open = 0;
        }
    }
    EXPECT_EQ(open, 0U) << "a fence is not closed";
    return out;
}

TEST(MarkdownReport, HasOneHeadingForEachFinding) {
    const std::string text = rendered(made_report());
    EXPECT_THAT(text, HasSubstr("## whygpu 0.1.0: The NVIDIA kernel module is not loaded\n"));
    EXPECT_THAT(text, HasSubstr("### The NVIDIA kernel module is not loaded\n"));
    EXPECT_THAT(text, HasSubstr("```sh\nsudo modprobe nvidia\n```\n"));
    EXPECT_THAT(text, HasSubstr("/proc/modules:12: nouveau 2695168 3 - Live\n"));
}

TEST(MarkdownReport, HostileTitleIsNoMarkup) {
    Report report = made_report();
    report.findings[0].title = "<img src=x onerror=alert(1)> [click](http://x) **bold** `code` _i_ | & #1";
    const std::string text = rendered(report);
    EXPECT_THAT(
        text,
        HasSubstr("### &lt;img src=x onerror=alert(1)> \\[click\\](http://x) \\*\\*bold\\*\\* \\`code\\` "
                  "\\_i\\_ \\| &amp; \\#1\n"));
    EXPECT_THAT(text, Not(HasSubstr("<img")));
}

TEST(MarkdownReport, LineEndsInTextsBeginNothing) {
    Report report = made_report();
    report.findings[0].title = "one\n# two\n\n- three";
    report.findings[0].explanation = "> four\n=====\n1. five";
    report.findings[0].step_titles = {"six\n## seven"};
    report.machine = "- eight\n# nine";
    report.gaps = {{"ten", "<b>\n# eleven", false}};
    int headings = 0;
    for (const std::string& line : prose_lines(rendered(report))) {
        headings += line.starts_with('#') ? 1 : 0;
        EXPECT_FALSE(line.starts_with("- three") || line.starts_with(">") || line.starts_with("=") ||
                     line.starts_with("1. five") || line.starts_with("- eight"))
            << line;
        EXPECT_FALSE(contains(line, "<b>")) << line;
    }
    EXPECT_EQ(headings, 2);
}

TEST(MarkdownReport, EvidenceCannotCloseItsFence) {
    Report report = made_report();
    report.findings[0].finding.evidence[0].text = "``` and `````\n```\n# out";
    const std::string text = rendered(report);
    EXPECT_THAT(text, HasSubstr("``````text\n"));
    for (const std::string& line : prose_lines(text)) {
        EXPECT_NE(line, "# out");
    }
}

TEST(MarkdownReport, CommandsWithBackticksStayInTheirFence) {
    Report report = made_report();
    report.findings[0].finding.fix[0].commands = {"echo '```'", "true"};
    EXPECT_THAT(rendered(report), HasSubstr("````sh\necho '```'\ntrue\n````\n"));
}

}  // namespace
}  // namespace whygpu
