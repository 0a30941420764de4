#include <algorithm>

#include "base/flow.h"
#include "base/text.h"
#include "base/unicode.h"
#include "report/paint.h"
#include "report/render.h"

namespace whygpu {

namespace {

constexpr std::size_t shown_evidence = 5;  // more is for -v

struct Sign {
    const char* text;
    Ink ink;
};

Sign sign_of(Health health) {
    switch (health) {
        case Health::ok:
            return {"✓", Ink::green};
        case Health::degraded:
            return {"!", Ink::yellow};
        case Health::broken:
            return {"✗", Ink::red};
        case Health::unknown:
            break;
    }
    return {"?", Ink::yellow};
}

Sign sign_of(Severity severity) {
    return severity == Severity::error     ? Sign{"✗", Ink::red}
           : severity == Severity::warning ? Sign{"!", Ink::yellow}
                                           : Sign{"·", Ink::plain};
}

Sign sign_of(LinkState state) {
    switch (state) {
        case LinkState::ok:
            return {"✓", Ink::green};
        case LinkState::warning:
            return {"!", Ink::yellow};
        case LinkState::broken:
            return {"✗", Ink::red};
        case LinkState::not_applicable:
            return {"–", Ink::dim};
        case LinkState::unknown:
            break;
    }
    return {"?", Ink::yellow};
}

std::string place_of(const Evidence& line) {
    return line.line > 0 ? line.source + ":" + std::to_string(line.line) : line.source;
}

// Where a line was read, cut to the column: paths from the front, commands from the back.
std::string shown_place(const Evidence& line, int columns) {
    const std::string place = place_of(line);
    const bool path = contains(place, "/") && !contains(place, " ");
    return path ? shortened_front(place, columns) : shortened(place, columns);
}

std::string shown_text(const Evidence& line, const std::string& note) {
    if (line.text.empty() || line.text == line.source) {
        return note;
    }
    return note.empty() ? line.text : line.text + "  (" + note + ")";
}

void add_evidence(Page& page, const ShownFinding& finding, const Catalogue& words, const TextStyle& style) {
    const std::vector<Evidence>& lines = finding.finding.evidence;
    const std::size_t shown = style.verbose ? lines.size() : std::min(lines.size(), shown_evidence);
    int place_columns = 0;
    for (std::size_t index = 0; index < shown; ++index) {
        place_columns = std::max(place_columns, display_width(place_of(lines[index])));
    }
    if (!style.verbose) {
        place_columns = std::min(place_columns, page.text_columns() * 2 / 5);
    }
    std::string label = words.text("report.evidence");
    for (std::size_t index = 0; index < shown; ++index) {
        const std::string text = shown_text(lines[index], finding.evidence_notes[index]);
        page.pair(label, shown_place(lines[index], place_columns), place_columns, text);
        label.clear();
    }
    if (shown < lines.size()) {
        page.entry("", words.text("report.more_evidence", {{"count", std::to_string(lines.size() - shown)}}),
                   Ink::dim);
    }
}

std::string step_footer(const FixStep& step, const Catalogue& words) {
    std::string footer = words.text("safety." + std::string(name_of(step.safety)));
    if (step.needs_root) {
        footer += " · " + words.text("report.root");
    }
    if (step.reboot) {
        footer += " · " + words.text("report.reboot");
    }
    return footer;
}

constexpr int step_indent = 3;

// What to do, the commands, how safe they are and how to take them back: on one line where that fits.
void add_step(Page& page, const std::string& label, std::size_t number, const std::string& title,
              const FixStep& step, const Catalogue& words) {
    const std::string indent(step_indent, ' ');
    page.item(label, std::to_string(number), step_indent, title, Ink::bold);
    for (const std::string& command : step.commands) {
        page.whole("", indent + command, Ink::cyan);
    }
    const std::string footer = step_footer(step, words);
    if (!step.undo.empty()) {
        const std::string undo = words.text("report.undo") + ": " + join(step.undo, "; ");
        const bool fits = display_width(indent + footer + " · " + undo) <= page.text_columns();
        if (fits) {
            page.whole("", indent + footer + " · " + undo, Ink::dim);
        } else {
            page.item("", "", step_indent, footer, Ink::dim);
            page.whole("", indent + undo, Ink::dim);
        }
    } else if (!step.commands.empty()) {
        page.item("", "", step_indent, footer, Ink::dim);
    }
}

void add_fix(Page& page, const ShownFinding& finding, const Catalogue& words) {
    std::string label = words.text("report.fix");
    for (std::size_t index = 0; index < finding.finding.fix.size(); ++index) {
        add_step(page, label, index + 1, finding.step_titles[index], finding.finding.fix[index], words);
        label.clear();
    }
    label = words.text("report.verify");
    for (const std::string& command : finding.finding.verify) {
        page.whole(label, command, Ink::cyan);
        label.clear();
    }
}

// What the rules would say after the fix.
void add_proof(Page& page, const ShownFinding& finding, const Catalogue& words) {
    if (!finding.finding.proof) {
        return;
    }
    const Proof& proof = *finding.finding.proof;
    const std::string label = words.text("report.proof");
    if (!proof.brings.empty()) {
        page.entry(label, words.text("proof.brings", {{"ids", join(proof.brings, ", ")}}));
    } else if (proof.resolves && proof.left.empty()) {
        page.entry(label, words.text("proof.resolves"));
    } else if (proof.resolves) {
        page.entry(label, words.text("proof.left", {{"ids", join(proof.left, ", ")}}));
    } else {
        page.entry(label, words.text("proof.stays"));
    }
}

void add_candidates(Page& page, const ShownFinding& finding, const Catalogue& words) {
    std::string label = words.text("report.candidates");
    for (const std::string& candidate : finding.finding.candidates) {
        page.entry(label, candidate);
        label.clear();
    }
    if (!finding.finding.next_test.empty()) {
        page.whole(words.text("report.next_test"), finding.finding.next_test, Ink::cyan);
    }
}

void add_finding(Page& page, const ShownFinding& finding, const Catalogue& words, const TextStyle& style) {
    const std::string confidence =
        words.text("confidence." + std::string(name_of(finding.finding.confidence)));
    page.entry(words.text("report.cause"), finding.finding.id + " (" + confidence + ")");
    page.entry("", finding.explanation);
    add_evidence(page, finding, words, style);
    add_candidates(page, finding, words);
    add_fix(page, finding, words);
    add_proof(page, finding, words);
}

void add_consequences(Page& page, const Report& report, const Catalogue& words) {
    std::string label = words.text("report.explains");
    for (const ShownFinding& finding : report.findings) {
        if (finding.finding.role == Role::consequence) {
            page.entry(label, finding.title + " (" + finding.finding.id + ")");
            label.clear();
        }
    }
}

std::string chain_text(const Report& report, const Catalogue& words, const TextStyle& style) {
    std::string text;
    for (const Link& link : report.diagnosis.chain) {
        const Sign sign = sign_of(link.state);
        text += text.empty() ? "" : "   ";
        text += words.text("link." + link.name) + " " + painted(sign.text, sign.ink, style);
    }
    return text;
}

// The signs have colours, so the width is taken without them.
void add_chain(Page& page, const Report& report, const Catalogue& words, const TextStyle& style) {
    TextStyle plain = style;
    plain.color = false;
    const std::string bare = chain_text(report, words, plain);
    if (display_width(bare) <= page.text_columns()) {
        page.whole(words.text("report.chain"), chain_text(report, words, style));
    } else {
        page.entry(words.text("report.chain"), bare);
    }
}

void add_gaps(Page& page, const Report& report, const Catalogue& words) {
    if (report.gaps.empty()) {
        return;
    }
    std::string text;
    for (const ShownGap& gap : report.gaps) {
        text += text.empty() ? "" : " · ";
        text += gap.what + " (" + gap.reason + (gap.sudo_helps ? "; " + words.text("report.sudo_hint") : "") +
                ")";
    }
    page.entry(words.text("report.not_checked"), text);
}

std::string counts_text(const Report& report, const Catalogue& words) {
    const auto problems =
        std::count_if(report.findings.begin(), report.findings.end(), [](const ShownFinding& shown) {
            return shown.finding.severity != Severity::note && shown.finding.role != Role::consequence;
        });
    const char* key = problems == 0   ? "report.problems_none"
                      : problems == 1 ? "report.problems_one"
                                      : "report.problems_many";
    const Counts& counts = report.diagnosis.counts;
    return words.text("report.counts", {{"problems", words.text(key, {{"count", std::to_string(problems)}})},
                                        {"clear", std::to_string(counts.clear)},
                                        {"not_applicable", std::to_string(counts.not_applicable)},
                                        {"unknown", std::to_string(counts.unknown)},
                                        {"elapsed", std::to_string(report.elapsed_ms)}});
}

}  // namespace

std::string render_text(const Report& report, const Catalogue& words, const TextStyle& style) {
    Page page(style, style.columns < 60 ? 10 : 14);
    page.paragraph("whygpu " + report.version + " · " + report.machine, Ink::dim, 2);
    page.blank();
    bool first = true;
    for (const ShownFinding& finding : report.findings) {
        if (finding.finding.role == Role::consequence) {
            continue;
        }
        const Sign sign = first && finding.finding.severity == Severity::note
                              ? sign_of(report.diagnosis.health)
                              : sign_of(finding.finding.severity);
        page.paragraph(std::string(sign.text) + " " + finding.title, sign.ink, 2);
        page.blank();
        add_finding(page, finding, words, style);
        if (first) {
            add_consequences(page, report, words);
        }
        page.blank();
        first = false;
    }
    if (first) {
        const Sign sign = sign_of(report.diagnosis.health);
        page.paragraph(std::string(sign.text) + " " + report.headline, sign.ink, 2);
    }
    add_chain(page, report, words, style);
    add_gaps(page, report, words);
    const std::string docs = report.findings.empty() ? "" : " · " + report.findings.front().docs;
    page.paragraph(counts_text(report, words) + docs, Ink::dim, 2);
    return page.text();
}

}  // namespace whygpu
