// The whole way from a machine's answers to the reports, for a machine that answers anything. The input is
// an answers file as snapshots hold it; questions that it does not answer, or all of them when it is no
// such file, are answered with pieces of the input, cut at the byte 1E and
// before each record.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "answering_host.h"
#include "base/json.h"
#include "base/text.h"
#include "check.h"
#include "facts/facts.h"
#include "host/snapshot_format.h"
#include "i18n/catalogue.h"
#include "judge/judge.h"
#include "knowledge/knowledge.h"
#include "report/render.h"
#include "units/library.h"

using namespace whygpu;
using fuzz::require;

namespace {

class PieceHost : public Host {
public:
    explicit PieceHost(std::string_view input) {
        if (Result<RecordedAnswers> answers = parse_answers(input)) {
            records_ = std::move(answers->records);
        }
        for (std::size_t at = 0; at <= input.size();) {
            const std::size_t end = std::min({input.find('\x1E', at), input.find("\n== ", at), input.size()});
            pieces_.push_back(input.substr(at, std::min(end - at, longest_piece)));
            at = end + 1;
        }
    }

    Answer answer(const Query& query) override {
        const auto found = records_.find(query);
        if (found != records_.end()) {
            return found->second;
        }
        std::size_t hash = static_cast<std::size_t>(query.kind);
        for (const char c : query.argument) {
            hash = hash * 31 + static_cast<unsigned char>(c);
        }
        return records_.empty() ? fuzz::answer_from(pieces_[hash % pieces_.size()]) : absent();
    }

private:
    // A long one would be a directory of many entries, each of which is asked about.
    static constexpr std::size_t longest_piece = 400;

    static Answer absent() {
        Answer answer;
        answer.missing = Missing::absent;
        answer.because = "not there";
        return answer;
    }

    std::vector<std::string_view> pieces_;
    Records records_;
};

const UnitLibrary& units() {
    static const UnitLibrary all = UnitLibrary::load().value();
    return all;
}

const Knowledge& tables() {
    static const Knowledge all = Knowledge::load().value();
    return all;
}

const Catalogue& words(Lang lang) {
    static const Catalogue english = Catalogue::load(Lang::en).value();
    static const Catalogue chinese = Catalogue::load(Lang::zh).value();
    return lang == Lang::en ? english : chinese;
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 127; });
}

// A fence is closed by a line of as many backticks or more and nothing else.
bool fences_are_balanced(std::string_view markdown) {
    std::size_t open = 0;
    for (const std::string_view line : lines_of(markdown)) {
        const std::size_t run = std::min(line.find_first_not_of('`'), line.size());
        if (open == 0) {
            open = run >= 3 ? run : 0;
        } else if (run >= open && run == line.size()) {
            open = 0;
        }
    }
    return open == 0;
}

// Up to `exit 1` all is comment; behind it only commands of the findings stand free.
void check_script(const Report& report, const std::string& script) {
    std::vector<std::string> allowed = {"", "exit 1"};
    for (const ShownFinding& shown : report.findings) {
        for (const FixStep& step : shown.finding.fix) {
            allowed.insert(allowed.end(), step.commands.begin(), step.commands.end());
        }
        allowed.insert(allowed.end(), shown.finding.verify.begin(), shown.finding.verify.end());
    }
    for (const std::string_view line : lines_of(script)) {
        require(line.starts_with('#') || std::find(allowed.begin(), allowed.end(), line) != allowed.end(),
                "a script is comments and commands");
    }
    require(!has_control(script), "a script steers no terminal");
}

void check_reports(const Report& report, const Catalogue& catalogue) {
    TextStyle style;
    style.columns = 72;
    const std::string text = render_text(report, catalogue, style);
    require(!has_control(text) && fuzz::is_utf8(text), "a report steers no terminal");
    style.ascii = true;
    const std::string ascii = render_text(report, catalogue, style);
    require(std::all_of(ascii.begin(), ascii.end(), [](char c) { return c >= 0; }), "ASCII is ASCII");
    const Result<Json> json = parse_json(render_json(report));
    require(json.has_value() && json->text("schema") == "whygpu.report/1", "the JSON report is JSON");
    const std::string markdown = render_markdown(report, catalogue);
    require(fences_are_balanced(markdown), "every fence is closed");
    require(!has_control(markdown), "Markdown steers no terminal");
    check_script(report, render_script(report, catalogue));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    PieceHost host(fuzz::text_of(data, size));
    Facts facts;
    for (const ProbeUnit& unit : units().probes()) {
        unit.probe(host, facts);
    }
    const Diagnosis diagnosis = judge(facts, tables(), units().rules(), RuleFilter{});
    const int said = diagnosis.counts.fired + diagnosis.counts.clear + diagnosis.counts.not_applicable +
                     diagnosis.counts.unknown;
    require(said == static_cast<int>(units().rules().size()), "every rule says something");
    const Catalogue& catalogue = words(size % 2 == 0 ? Lang::en : Lang::zh);
    const ReportContext context{"doctor", true, true, 0, ""};
    check_reports(make_report(facts, tables(), diagnosis, units(), catalogue, context), catalogue);
    return 0;
}
