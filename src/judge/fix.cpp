#include "judge/fix.h"

#include <set>

#include "base/text.h"

namespace whygpu {

namespace {

std::string filled(std::string_view pattern, const Finding& finding, const Situation& situation) {
    return fill_placeholders(pattern, [&](std::string_view name) -> std::optional<std::string> {
        const auto argument = finding.args.find(std::string(name));
        return argument != finding.args.end() ? std::optional(argument->second) : situation.value(name);
    });
}

std::vector<std::string> filled(const std::vector<std::string>& patterns, const Finding& finding,
                                const Situation& situation) {
    std::vector<std::string> lines;
    for (const std::string& pattern : patterns) {
        lines.push_back(filled(pattern, finding, situation));
    }
    return lines;
}

// Terms may ask for the finding's own arguments too ("flavour=open").
Truth fits(const std::vector<std::string>& when, const Finding& finding, const Situation& situation) {
    Situation extended = situation;
    for (const auto& [name, value] : finding.args) {
        extended.set(name, value);
    }
    return all_hold(extended, when);
}

// A command with a hole in it must never be printed.
bool has_hole(const std::vector<std::string>& commands, const Finding& finding, const Situation& situation) {
    for (const std::string& command : commands) {
        for (const std::string& name : placeholders_of(command)) {
            if (finding.args.count(name) == 0 && !situation.value(name)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

std::vector<FixStep> choose_fix(const Document& document, const Finding& finding,
                                const Situation& situation) {
    std::vector<FixStep> steps;
    std::set<std::string> chosen;
    for (const FixRow& row : document.fixes) {
        const bool usable = chosen.count(row.step) == 0 && fits(row.when, finding, situation) == Truth::yes &&
                            !has_hole(row.commands, finding, situation) &&
                            !has_hole(row.undo, finding, situation);
        if (!usable) {
            continue;
        }
        chosen.insert(row.step);
        FixStep step;
        step.step = row.step;
        step.commands = filled(row.commands, finding, situation);
        step.safety = row.safety;
        step.needs_root = row.needs_root;
        step.reboot = row.reboot;
        step.undo = filled(row.undo, finding, situation);
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<std::string> choose_verify(const Document& document, const Finding& finding,
                                       const Situation& situation) {
    for (const VerifyRow& row : document.verify) {
        if (fits(row.when, finding, situation) == Truth::yes && !has_hole(row.commands, finding, situation)) {
            return filled(row.commands, finding, situation);
        }
    }
    return {};
}

}  // namespace whygpu
