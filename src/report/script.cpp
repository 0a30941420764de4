#include "base/text.h"
#include "report/render.h"

namespace whygpu {

namespace {

// Every line of it a comment, whatever it holds.
std::string comment(std::string_view text) {
    std::string out;
    for (const std::string_view line : lines_of(text)) {
        out += "# " + std::string(line) + "\n";
    }
    return out;
}

std::string step_text(const ShownFinding& shown, std::size_t index, const Catalogue& words) {
    const FixStep& step = shown.finding.fix[index];
    std::string out = comment(words.text("script.step", {{"number", std::to_string(index + 1)}}) + ": " +
                              shown.step_titles[index]);
    out += comment(words.text("script.safety") + ": " +
                   words.text("safety." + std::string(name_of(step.safety))));
    for (const std::string& undo : step.undo) {
        out += comment(words.text("script.undo") + ": " + undo);
    }
    if (step.commands.empty()) {
        out += comment(words.text("script.advice"));
    }
    out += join(step.commands, "\n") + (step.commands.empty() ? "" : "\n");
    if (step.reboot) {
        out += comment(words.text("script.reboot"));
    }
    return out + "\n";
}

std::string finding_text(const ShownFinding& shown, const Catalogue& words) {
    std::string out =
        comment(words.text("script.problem") + ": " + shown.title + " [" + shown.finding.id + "]");
    out += comment(words.text("script.why") + ": " + shown.explanation) + "\n";
    for (std::size_t index = 0; index < shown.finding.fix.size(); ++index) {
        out += step_text(shown, index, words);
    }
    if (!shown.finding.verify.empty()) {
        out += comment(words.text("script.verify")) + join(shown.finding.verify, "\n") + "\n\n";
    }
    return out;
}

}  // namespace

std::string render_script(const Report& report, const Catalogue& words) {
    std::string out = "#!/bin/sh\n";
    out += comment(words.text("script.title", {{"version", report.version}}));
    out += comment(report.machine);
    out += comment(words.text("script.warning")) + "exit 1\n\n";
    bool any = false;
    for (const ShownFinding& shown : report.findings) {
        if (shown.finding.role == Role::consequence || shown.finding.fix.empty()) {
            continue;
        }
        out += finding_text(shown, words);
        any = true;
    }
    return any ? out : out + comment(words.text("script.nothing"));
}

}  // namespace whygpu
