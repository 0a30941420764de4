#include "report/render.h"

namespace whygpu {

namespace {

Json evidence_json(const ShownFinding& shown) {
    Json list = Json::array();
    for (std::size_t index = 0; index < shown.finding.evidence.size(); ++index) {
        const Evidence& line = shown.finding.evidence[index];
        Json entry = Json::object();
        entry.set("source", line.source);
        entry.set("line", line.line > 0 ? Json(line.line) : Json());
        entry.set("text", line.text);
        if (!shown.evidence_notes[index].empty()) {
            entry.set("note", shown.evidence_notes[index]);
        }
        list.push(std::move(entry));
    }
    return list;
}

Json fix_json(const ShownFinding& shown) {
    Json list = Json::array();
    for (std::size_t index = 0; index < shown.finding.fix.size(); ++index) {
        const FixStep& step = shown.finding.fix[index];
        Json entry = Json::object();
        entry.set("title", shown.step_titles[index]);
        entry.set("commands", Json::array_of(step.commands));
        entry.set("safety", name_of(step.safety));
        entry.set("needs_root", step.needs_root);
        entry.set("reboot", step.reboot);
        entry.set("undo", Json::array_of(step.undo));
        list.push(std::move(entry));
    }
    return list;
}

Json finding_json(const ShownFinding& shown) {
    const Finding& finding = shown.finding;
    Json entry = Json::object();
    entry.set("id", finding.id);
    entry.set("area", finding.id.substr(0, finding.id.find('.')));
    entry.set("severity", name_of(finding.severity));
    entry.set("role", name_of(finding.role));
    entry.set("confidence", name_of(finding.confidence));
    entry.set("subject", finding.subject);
    entry.set("title", shown.title);
    entry.set("explanation", shown.explanation);
    entry.set("evidence", evidence_json(shown));
    entry.set("explains", Json::array_of(finding.explains));
    entry.set("candidates", Json::array_of(finding.candidates));
    entry.set("fix", fix_json(shown));
    entry.set("verify", Json::array_of(finding.verify));
    if (finding.proof) {
        Json proof = Json::object();
        proof.set("resolves", finding.proof->resolves);
        proof.set("left", Json::array_of(finding.proof->left));
        proof.set("brings", Json::array_of(finding.proof->brings));
        entry.set("proof", std::move(proof));
    }
    entry.set("next_test", finding.next_test.empty() ? Json() : Json(finding.next_test));
    entry.set("docs", shown.docs);
    return entry;
}

Json checked_json(const Counts& counts) {
    Json entry = Json::object();
    entry.set("fired", counts.fired);
    entry.set("clear", counts.clear);
    entry.set("not_applicable", counts.not_applicable);
    entry.set("unknown", counts.unknown);
    return entry;
}

}  // namespace

std::string render_json(const Report& report) {
    Json root = Json::object();
    root.set("schema", "whygpu.report/1");
    root.set("whygpu", report.version);
    root.set("command", report.command);
    root.set("verdict", name_of(report.diagnosis.health));
    root.set("headline", report.headline);
    root.set("machine", report.machine);
    Json findings = Json::array();
    for (const ShownFinding& shown : report.findings) {
        findings.push(finding_json(shown));
    }
    root.set("findings", std::move(findings));
    root.set("facts", report.facts);
    root.set("checked", checked_json(report.diagnosis.counts));
    Json unknown = Json::array();
    for (const UnknownRule& rule : report.diagnosis.unknown) {
        Json entry = Json::object();
        entry.set("rule", rule.rule);
        entry.set("missing", Json::array_of(rule.missing));
        unknown.push(std::move(entry));
    }
    root.set("unknown", std::move(unknown));
    root.set("elapsed_ms", Json(static_cast<std::int64_t>(report.elapsed_ms)));
    return to_text(root, 2) + "\n";
}

}  // namespace whygpu
