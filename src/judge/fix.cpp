#include "judge/fix.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "base/unicode.h"

namespace whygpu {

namespace {

std::optional<std::string> value_of(std::string_view name, const Finding& finding,
                                    const Situation& situation) {
    const auto argument = finding.args.find(std::string(name));
    return argument != finding.args.end() ? std::optional(argument->second) : situation.value(name);
}

std::string filled(std::string_view pattern, const Finding& finding, const Situation& situation) {
    return fill_placeholders(pattern,
                             [&](std::string_view name) { return value_of(name, finding, situation); });
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

// "<home>" and "<uuid:0123abcd>" as a redacted snapshot has them: 0 when there is none at the start.
std::size_t mark_length(std::string_view text) {
    const std::size_t end = text.starts_with('<') ? text.find('>') : std::string_view::npos;
    const bool mark = end != std::string_view::npos && end > 1 &&
                      text.substr(1, end - 1).find_first_not_of("abcdefghijklmnopqrstuvwxyz:0123456789") ==
                          std::string_view::npos;
    return mark ? end + 1 : 0;
}

// Paths, names and variables of the machine are put into commands that people paste into a root shell,
// and a snapshot may come from a stranger. A value fits when the shell takes it as it stands: its own
// quotes closed and nothing that means something outside them.
bool is_shell_text(std::string_view value) {
    bool quoted = false;
    for (std::size_t at = 0; at < value.size(); ++at) {
        const std::size_t mark = quoted ? 0 : mark_length(value.substr(at));
        if (mark > 0) {
            at += mark - 1;
            continue;
        }
        if (value[at] == '\'') {
            quoted = !quoted;
        } else if (!quoted && contains(";&|<>()$`\\\"*?", value.substr(at, 1))) {
            return false;
        }
    }
    return !quoted;
}

// Whether a value can stand at a place of a command: `before` is what precedes it there.
bool fits_in_command(std::string_view before, std::string_view value) {
    const bool one_safe_line = printable(value) == value && !contains(value, "\n");
    const bool in_quotes = std::count(before.begin(), before.end(), '\'') % 2 == 1;
    return one_safe_line && (in_quotes ? !contains(value, "'") : is_shell_text(value));
}

// A command with a hole in it, or with one that the machine's text would break, must never be printed.
bool has_hole(const std::vector<std::string>& commands, const Finding& finding, const Situation& situation) {
    for (const std::string& command : commands) {
        bool hole = false;
        fill_placeholders(command, [&](std::string_view name) {
            const std::optional<std::string> value = value_of(name, finding, situation);
            const auto before = static_cast<std::size_t>(name.data() - command.data());
            hole = hole || !value || !fits_in_command(std::string_view(command).substr(0, before), *value);
            return value;
        });
        if (hole) {
            return true;
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

std::optional<std::vector<std::string>> filled_if_fitting(const std::vector<std::string>& when,
                                                          const std::vector<std::string>& patterns,
                                                          const Finding& finding,
                                                          const Situation& situation) {
    if (fits(when, finding, situation) != Truth::yes || has_hole(patterns, finding, situation)) {
        return std::nullopt;
    }
    return filled(patterns, finding, situation);
}

}  // namespace whygpu
