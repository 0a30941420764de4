#include "cli/help.h"

#include "base/text.h"
#include "base/unicode.h"
#include "cli/commands.h"
#include "report/view.h"

namespace whygpu {

namespace {

constexpr int name_columns = 28;

std::string flag_names(const FlagSpec& flag) {
    std::string names = flag.short_name[0] != '\0' ? std::string(flag.short_name) + ", " : "    ";
    names += flag.name;
    if (flag.value[0] != '\0') {
        names += std::string(" ") + flag.value;
    }
    return names;
}

std::string flag_help(const FlagSpec& flag, const Catalogue& words) {
    std::string text = words.text(flag.help);
    if (flag.choices[0] != '\0') {
        text += " (" +
                join(
                    [&] {
                        std::vector<std::string> choices;
                        for (const std::string_view choice : split(flag.choices, '|')) {
                            choices.emplace_back(choice);
                        }
                        return choices;
                    }(),
                    ", ") +
                ")";
    }
    return text;
}

std::string row(const std::string& name, const std::string& text) {
    std::string out;
    std::string cell = padded("  " + name, name_columns);
    for (const std::string& piece : wrapped(text, 96 - name_columns)) {
        out += cell + (cell.ends_with(' ') ? "" : "  ") + piece + "\n";
        cell = std::string(name_columns, ' ');
    }
    return out;
}

std::string flag_rows(std::span<const FlagSpec> flags, const Catalogue& words) {
    std::string out;
    for (const FlagSpec& flag : flags) {
        out += row(flag_names(flag), flag_help(flag, words));
    }
    return out;
}

// Troff takes a leading dot or quote for a request and a backslash for an escape.
std::string troff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string troff_flags(std::span<const FlagSpec> flags, const Catalogue& words) {
    std::string out;
    for (const FlagSpec& flag : flags) {
        out += ".TP\n.B " + troff(trimmed(flag_names(flag))) + "\n" + troff(flag_help(flag, words)) + "\n";
    }
    return out;
}

}  // namespace

std::string program_help(const Catalogue& words) {
    std::string out = words.text("help.what") + "\n\n" + words.text("help.usage") + "\n\n";
    out += words.text("help.commands") + "\n";
    for (const CommandSpec& command : commands()) {
        if (!command.hidden) {
            const std::string name = std::string(command.name) + " " + command.positionals;
            out += row(std::string(trimmed(name)), words.text(command.help));
        }
    }
    out += "\n" + words.text("help.common") + "\n" + flag_rows(common_flags(), words);
    out += row("-h, --help", words.text("help.help")) + row("    --version", words.text("help.version"));
    return out + "\n" + words.text("help.exit_codes") + "\n";
}

std::string command_help(const CommandSpec& command, const Catalogue& words) {
    const std::string name = std::string(command.name) + " " + command.positionals;
    std::string out = "whygpu " + std::string(trimmed(name)) + "\n\n" + words.text(command.help) + "\n\n";
    if (!command.flags.empty()) {
        out += words.text("help.options") + "\n" + flag_rows(command.flags, words) + "\n";
    }
    return out + words.text("help.common") + "\n" + flag_rows(common_flags(), words);
}

std::string man_page(const Catalogue& words) {
    std::string out = ".TH WHYGPU 1 \"\" \"whygpu " + program_version() + "\"\n";
    out += ".SH NAME\nwhygpu \\- " + troff(words.text("help.short")) + "\n";
    out += ".SH SYNOPSIS\n.B whygpu\n[COMMAND] [OPTION]...\n";
    out += ".SH DESCRIPTION\n" + troff(words.text("help.what")) + "\n.SH COMMANDS\n";
    for (const CommandSpec& command : commands()) {
        if (command.hidden) {
            continue;
        }
        const std::string name = std::string(command.name) + " " + command.positionals;
        out += ".SS " + troff(trimmed(name)) + "\n" + troff(words.text(command.help)) + "\n";
        out += troff_flags(command.flags, words);
    }
    out += ".SH OPTIONS\n" + troff_flags(common_flags(), words);
    out += ".SH \"EXIT STATUS\"\n" + troff(words.text("help.exit_codes")) + "\n";
    return out + ".SH PRIVACY\n" + troff(words.text("help.privacy")) + "\n";
}

}  // namespace whygpu
