#include <algorithm>

#include "base/text.h"
#include "report/render.h"

namespace whygpu {

namespace {

// Characters that Markdown or HTML would take for markup. Some are markup only where a line begins.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool special = contains("\\`*_[]#|~", std::string_view(&c, 1)) ||
                             (out.empty() && contains("-+=>", std::string_view(&c, 1)));
        if (c == '\n') {
            out += ' ';
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += special ? std::string("\\") + c : std::string(1, c);
        }
    }
    return out;
}

// A fence longer than any run of backticks in the text, so that the text cannot end it.
std::string fenced(const std::vector<std::string>& lines, std::string_view language) {
    std::size_t longest = 2;
    for (const std::string& line : lines) {
        std::size_t run = 0;
        for (const char c : line) {
            run = c == '`' ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    const std::string fence(longest + 1, '`');
    return fence + std::string(language) + "\n" + join(lines, "\n") + "\n" + fence + "\n";
}

std::vector<std::string> evidence_lines(const ShownFinding& shown) {
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < shown.finding.evidence.size(); ++index) {
        const Evidence& line = shown.finding.evidence[index];
        std::string text = line.source;
        text += line.line > 0 ? ":" + std::to_string(line.line) : "";
        text += ": " + line.text;
        text += shown.evidence_notes[index].empty() ? "" : "  (" + shown.evidence_notes[index] + ")";
        lines.push_back(std::move(text));
    }
    return lines;
}

std::string fix_text(const ShownFinding& shown, const Catalogue& words) {
    std::string out;
    for (std::size_t index = 0; index < shown.finding.fix.size(); ++index) {
        const FixStep& step = shown.finding.fix[index];
        out += std::to_string(index + 1) + ". " + escaped(shown.step_titles[index]) + " (" +
               words.text("safety." + std::string(name_of(step.safety))) + ")\n\n";
        if (!step.commands.empty()) {
            out += fenced(step.commands, "sh") + "\n";
        }
        if (!step.undo.empty()) {
            out += words.text("report.undo") + ":\n\n" + fenced(step.undo, "sh") + "\n";
        }
    }
    return out;
}

std::string finding_text(const ShownFinding& shown, const Catalogue& words) {
    std::string out = "### " + escaped(shown.title) + "\n\n";
    out += "`" + shown.finding.id + "` (" +
           words.text("severity." + std::string(name_of(shown.finding.severity))) + ", " +
           words.text("confidence." + std::string(name_of(shown.finding.confidence))) + ")\n\n";
    out += escaped(shown.explanation) + "\n\n";
    if (!shown.finding.evidence.empty()) {
        out += "**" + words.text("report.evidence") + "**\n\n" + fenced(evidence_lines(shown), "text") + "\n";
    }
    if (!shown.finding.candidates.empty()) {
        out += "**" + words.text("report.candidates") + "** " +
               escaped(join(shown.finding.candidates, ", ")) + "\n\n";
    }
    if (!shown.finding.next_test.empty()) {
        out +=
            "**" + words.text("report.next_test") + "**\n\n" + fenced({shown.finding.next_test}, "sh") + "\n";
    }
    if (!shown.finding.fix.empty()) {
        out += "**" + words.text("report.fix") + "**\n\n" + fix_text(shown, words);
    }
    if (!shown.finding.verify.empty()) {
        out += "**" + words.text("report.verify") + "**\n\n" + fenced(shown.finding.verify, "sh") + "\n";
    }
    return out;
}

std::string_view sign_of(LinkState state) {
    switch (state) {
        case LinkState::ok:
            return "✓";
        case LinkState::warning:
            return "!";
        case LinkState::broken:
            return "✗";
        case LinkState::not_applicable:
            return "–";
        case LinkState::unknown:
            break;
    }
    return "?";
}

}  // namespace

std::string render_markdown(const Report& report, const Catalogue& words) {
    std::string out = "## whygpu " + report.version + ": " + escaped(report.headline) + "\n\n";
    out += escaped(report.machine) + "\n\n";
    for (const ShownFinding& shown : report.findings) {
        out += finding_text(shown, words);
    }
    std::string chain;
    for (const Link& link : report.diagnosis.chain) {
        chain += chain.empty() ? "" : " → ";
        chain += words.text("link." + link.name) + " " + std::string(sign_of(link.state));
    }
    out += chain + "\n";
    for (const ShownGap& gap : report.gaps) {
        out += "\n- " + words.text("report.not_checked") + ": " + escaped(gap.what) + " (" +
               escaped(gap.reason) + ")";
    }
    out += report.gaps.empty() ? "" : "\n";
    return out;
}

}  // namespace whygpu
