#include <algorithm>

#include "base/flow.h"
#include "base/text.h"
#include "base/unicode.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"
#include "report/paint.h"
#include "units/library.h"

namespace whygpu {

namespace {

// Without a machine the placeholders stay open: {gpu} is shown as a blank to fill in.
std::string with_blanks(std::string_view text) {
    return fill_placeholders(text, [](std::string_view name) {
        return std::optional<std::string>("‹" + std::string(name) + "›");
    });
}

void add_section(Page& page, const std::string& heading, const std::string& text) {
    if (text.empty()) {
        return;
    }
    page.blank();
    page.line(heading, Ink::bold);
    const std::string shown = with_blanks(text);
    for (const std::string_view line : lines_of(shown)) {
        if (line.starts_with("    ")) {
            page.line("  " + std::string(line), Ink::cyan);  // a command stays whole
        } else {
            page.paragraph("  " + std::string(line), Ink::plain, 2);
        }
    }
}

std::string steps_text(const Document& document, const Prose& prose) {
    std::string text;
    std::vector<std::string> listed;
    for (const FixRow& row : document.fixes) {
        if (std::find(listed.begin(), listed.end(), row.step) == listed.end()) {
            listed.push_back(row.step);
            const auto title = prose.steps.find(row.step);
            text += "• " + (title == prose.steps.end() ? row.step : title->second) + "\n";
        }
        const std::string when = row.when.empty() ? "" : "   [" + join(row.when, ", ") + "]";
        for (const std::string& command : row.commands) {
            text += "    " + command + when + "\n";
        }
    }
    return text;
}

std::string explained(const Document& document, const Catalogue& words, const TextStyle& style) {
    const Prose& prose = prose_in(document, words);
    Page page(style, 14);
    page.paragraph(with_blanks(prose.title), Ink::bold, 0);
    page.line(document.id + " · " + words.text("severity." + std::string(name_of(document.severity))),
              Ink::dim);
    add_section(page, words.text("rules.means"), flowed(prose.meaning));
    add_section(page, words.text("rules.tell"), flowed(prose.tell));
    add_section(page, words.text("rules.fix"), flowed(prose.fix));
    add_section(page, words.text("rules.steps"), steps_text(document, prose));
    add_section(page, words.text("rules.causes"), join(document.explains, "\n"));
    add_section(page, words.text("rules.needs"), join(document.needs, ", "));
    add_section(page, words.text("rules.sources"), join(document.sources, "\n"));
    return page.text();
}

std::string listed(const UnitLibrary& units, const Arguments& arguments, const Catalogue& words) {
    Page page(chosen_style(arguments, words.lang()), 46);
    for (const RuleUnit& rule : units.rules()) {
        if (arguments.has("--quiet")) {
            page.line(rule.document.id);
        } else {
            page.entry(rule.document.id, with_blanks(prose_in(rule.document, words).title));
        }
    }
    if (!arguments.has("--quiet")) {
        page.blank();
        page.line(words.text("rules.footer", {{"count", std::to_string(units.rules().size())}}), Ink::dim);
    }
    return page.text();
}

// Ids that contain the words that were typed.
std::string nearest(const UnitLibrary& units, std::string_view typed) {
    const std::size_t dot = typed.find('.');
    const std::string_view stem = dot == std::string_view::npos ? typed : typed.substr(dot + 1);
    for (const RuleUnit& rule : units.rules()) {
        if (!stem.empty() && contains(rule.document.id, stem)) {
            return rule.document.id;
        }
    }
    return "";
}

Json rule_json(const Document& document, const Catalogue& words) {
    const Prose& prose = prose_in(document, words);
    Json entry = Json::object();
    entry.set("id", document.id);
    entry.set("severity", name_of(document.severity));
    entry.set("title", prose.title);
    entry.set("meaning", prose.meaning);
    entry.set("explains", Json::array_of(document.explains));
    entry.set("needs", Json::array_of(document.needs));
    entry.set("sources", Json::array_of(document.sources));
    return entry;
}

std::string rules_json(const UnitLibrary& units, const Document* only, const Catalogue& words) {
    Json list = Json::array();
    for (const RuleUnit& rule : units.rules()) {
        if (only == nullptr || only == &rule.document) {
            list.push(rule_json(rule.document, words));
        }
    }
    Json root = Json::object();
    root.set("schema", "whygpu.rules/1").set("rules", std::move(list));
    return to_text(root, 2) + "\n";
}

}  // namespace

int run_rules(const Arguments& arguments, const Session& session) {
    const Result<UnitLibrary> units = UnitLibrary::load();
    if (!units) {
        complain(units.error().message, session);
        return exit_internal;
    }
    const Document* document = nullptr;
    if (!arguments.positionals.empty()) {
        const std::string& id = arguments.positionals.front();
        document = units->find(id);
        if (document == nullptr) {
            complain(session.words.text("rules.unknown_id", {{"id", printable(id)}}), session);
            if (const std::string other = nearest(*units, id); !other.empty()) {
                complain(session.words.text("rules.nearest", {{"id", other}}), session);
            }
            return exit_usage;
        }
    }
    if (arguments.value("--format") == "json") {
        return write_output(rules_json(*units, document, session.words), arguments, session) ? exit_ok
                                                                                             : exit_blind;
    }
    const std::string text = document != nullptr ? explained(*document, session.words,
                                                             chosen_style(arguments, session.words.lang()))
                                                 : listed(*units, arguments, session.words);
    return write_output(text, arguments, session) ? exit_ok : exit_blind;
}

int run_man(const Arguments& arguments, const Session& session) {
    return write_output(man_page(session.words), arguments, session) ? exit_ok : exit_blind;
}

int run_completion(const Arguments& arguments, const Session& session) {
    const std::string script = completion_script(arguments.positionals.front(), session.words);
    if (script.empty()) {
        complain(session.words.text("error.shell"), session);
        return exit_usage;
    }
    return write_output(script, arguments, session) ? exit_ok : exit_blind;
}

}  // namespace whygpu
