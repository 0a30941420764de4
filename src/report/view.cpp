#include "report/view.h"

#include <algorithm>
#include <map>

#include "base/flow.h"
#include "base/text.h"
#include "base/unicode.h"
#include "facts/access.h"
#include "report/machine_line.h"

namespace whygpu {

namespace {

// Texts of the machine stand in titles and in rows of a table: a line end there would begin something of
// its own.
std::string one_line(std::string_view text) {
    std::string line = printable(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return std::string(trimmed(line));
}

std::string filled(std::string_view pattern, const Finding& finding, const Situation& situation) {
    const std::string text =
        fill_placeholders(pattern, [&](std::string_view name) -> std::optional<std::string> {
            const auto argument = finding.args.find(std::string(name));
            return argument != finding.args.end() ? std::optional(argument->second) : situation.value(name);
        });
    return one_line(text);
}

std::string phrase(const std::map<std::string, std::string>& phrases, const std::string& key) {
    const auto found = phrases.find(key);
    return found == phrases.end() ? "" : found->second;
}

// The first paragraph: the report has room for one.
std::string first_paragraph(const std::string& text) {
    return flowed(text.substr(0, text.find("\n\n")));
}

ShownFinding shown(const Finding& finding, const Document& document, const Situation& situation,
                   const Catalogue& words) {
    const Prose& prose = prose_in(document, words);
    ShownFinding out;
    out.finding = finding;
    const std::string variant = phrase(prose.variants, finding.variant);
    out.title = filled(variant.empty() ? prose.title : variant, finding, situation);
    out.explanation = filled(first_paragraph(prose.meaning), finding, situation);
    for (Evidence& line : out.finding.evidence) {
        line.text = one_line(line.text);
        line.source = one_line(line.source);
        out.evidence_notes.push_back(filled(phrase(prose.notes, line.note), finding, situation));
    }
    for (const FixStep& step : finding.fix) {
        out.step_titles.push_back(filled(phrase(prose.steps, step.step), finding, situation));
    }
    out.finding.next_test = one_line(finding.next_test);
    out.docs = "whygpu rules " + finding.id;
    return out;
}

ShownFinding shown_internal(const Finding& finding, const Catalogue& words) {
    ShownFinding out;
    out.finding = finding;
    out.title = words.text("verdict.internal", finding.args);
    out.explanation = one_line(finding.args.at("what"));
    return out;
}

std::vector<ShownGap> gaps_of(const Facts& facts, const Diagnosis& diagnosis, const Catalogue& words) {
    std::vector<ShownGap> gaps;
    for (const UnknownRule& rule : diagnosis.unknown) {
        for (const std::string& path : rule.missing) {
            const std::optional<FactState> state = fact_state(facts, path);
            ShownGap gap;
            gap.what = words.text("section." + path.substr(0, path.find('.')));
            gap.reason =
                state && !state->known ? words.text("missing." + std::string(name_of(state->why))) : path;
            gap.sudo_helps = state && !state->known && state->why == Missing::denied;
            const bool listed = std::any_of(gaps.begin(), gaps.end(),
                                            [&](const ShownGap& other) { return other.what == gap.what; });
            if (!listed) {
                gaps.push_back(std::move(gap));
            }
        }
    }
    return gaps;
}

std::string headline_of(const Report& report, const Catalogue& words) {
    const Counts& counts = report.diagnosis.counts;
    if (!report.findings.empty()) {
        return report.findings.front().title;
    }
    if (report.diagnosis.health == Health::unknown) {
        return words.text("verdict.unknown");
    }
    const std::map<std::string, std::string> args = {{"clear", std::to_string(counts.clear)},
                                                     {"unknown", std::to_string(counts.unknown)}};
    return words.text(counts.unknown == 0 ? "verdict.ok_all" : "verdict.ok", args);
}

}  // namespace

const Prose& prose_in(const Document& document, const Catalogue& words) {
    return words.lang() == Lang::zh && document.chinese ? *document.chinese : document.english;
}

std::string program_version() {
    return WHYGPU_VERSION;
}

Report make_report(const Facts& facts, const Knowledge& tables, Diagnosis diagnosis, const UnitLibrary& units,
                   const Catalogue& words, const ReportContext& context) {
    Report report;
    report.version = program_version();
    report.command = context.command;
    report.elapsed_ms = context.elapsed_ms;
    report.diagnosis = std::move(diagnosis);
    report.machine = machine_line(facts, tables, words, context.replay);
    if (!context.assumed.empty()) {
        report.machine += " · " + printable(words.text("machine.assumed", {{"terms", context.assumed}}));
    }
    for (const Finding& finding : report.diagnosis.findings) {
        const Document* document = units.find(finding.id);
        report.findings.push_back(document != nullptr
                                      ? shown(finding, *document, report.diagnosis.situation, words)
                                      : shown_internal(finding, words));
    }
    report.gaps = gaps_of(facts, report.diagnosis, words);
    report.headline = headline_of(report, words);
    report.facts = facts_to_json(facts, context.redact);
    return report;
}

}  // namespace whygpu
