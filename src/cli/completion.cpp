#include "base/text.h"
#include "cli/commands.h"
#include "cli/help.h"

namespace whygpu {

namespace {

std::vector<const CommandSpec*> shown_commands() {
    std::vector<const CommandSpec*> shown;
    for (const CommandSpec& command : commands()) {
        if (!command.hidden) {
            shown.push_back(&command);
        }
    }
    return shown;
}

std::string names_of(std::span<const FlagSpec> flags) {
    std::string names;
    for (const FlagSpec& flag : flags) {
        names += std::string(names.empty() ? "" : " ") + flag.name;
    }
    return names;
}

std::string spaced(std::string_view choices) {
    std::string out(choices);
    for (char& c : out) {
        c = c == '|' ? ' ' : c;
    }
    return out;
}

std::string bash_cases(std::span<const FlagSpec> flags) {
    std::string out;
    for (const FlagSpec& flag : flags) {
        const bool file = std::string_view(flag.value) == "FILE";
        const bool folder = std::string_view(flag.value) == "DIR";
        const std::string names =
            flag.short_name[0] != '\0' ? std::string(flag.short_name) + "|" + flag.name : flag.name;
        if (flag.choices[0] != '\0') {
            out += "    " + names + ") COMPREPLY=($(compgen -W \"" + spaced(flag.choices) +
                   "\" -- \"$word\")); return ;;\n";
        } else if (file || folder) {
            out += "    " + names + ") COMPREPLY=($(compgen -" + (file ? "f" : "d") +
                   " -- \"$word\")); return ;;\n";
        }
    }
    return out;
}

std::string bash_script() {
    std::string names;
    std::string cases = bash_cases(common_flags());
    std::string flags;
    for (const CommandSpec* command : shown_commands()) {
        names += std::string(names.empty() ? "" : " ") + command->name;
        cases += bash_cases(command->flags);
        flags +=
            "    " + std::string(command->name) + ") flags=\"$flags " + names_of(command->flags) + "\" ;;\n";
    }
    return "_whygpu() {\n"
           "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
           "  local flags=\"" +
           names_of(common_flags()) +
           " --help --version\"\n"
           "  case \"$before\" in\n" +
           cases +
           "    rules) COMPREPLY=($(compgen -W \"$(whygpu rules -q 2>/dev/null)\" -- \"$word\")); return ;;\n"
           "    completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")); return ;;\n"
           "    diff) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
           "  esac\n"
           "  case \"${COMP_WORDS[1]}\" in\n" +
           flags +
           "  esac\n"
           "  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
           "  elif [[ $COMP_CWORD -eq 1 ]]; then\n    COMPREPLY=($(compgen -W \"" +
           names +
           "\" -- \"$word\"))\n"
           "  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\ncomplete -F _whygpu whygpu\n";
}

// Quotes that would end a description.
std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        out += c == '\'' ? "’" : c == '[' || c == ']' || c == ':' ? " " : std::string(1, c);
    }
    return "'" + out + "'";
}

std::string zsh_flag(const FlagSpec& flag, const Catalogue& words) {
    const std::string text = quoted(words.text(flag.help));
    std::string entry = "'" + std::string(flag.name) + "[" + text.substr(1, text.size() - 2) + "]";
    if (flag.choices[0] != '\0') {
        entry += ":" + std::string(flag.value) + ":(" + spaced(flag.choices) + ")";
    } else if (flag.value[0] != '\0') {
        entry += ":" + std::string(flag.value) + ":_files";
    }
    return "    " + entry + "' \\\n";
}

std::string zsh_script(const Catalogue& words) {
    std::string names;
    std::string flags;
    for (const FlagSpec& flag : common_flags()) {
        flags += zsh_flag(flag, words);
    }
    for (const CommandSpec* command : shown_commands()) {
        const std::string help = quoted(words.text(command->help));
        names += "    '" + std::string(command->name) + ":" + help.substr(1) + "\n";
        for (const FlagSpec& flag : command->flags) {
            flags += zsh_flag(flag, words);
        }
    }
    return "#compdef whygpu\n_whygpu() {\n  local -a names\n  names=(\n" + names + "  )\n  _arguments \\\n" +
           flags + "    '1: :{_describe command names}' '*: :_files'\n}\n_whygpu \"$@\"\n";
}

std::string fish_flag(const FlagSpec& flag, const std::string& condition, const Catalogue& words) {
    std::string line = "complete -c whygpu" + condition + " -l " + std::string(flag.name).substr(2);
    if (flag.short_name[0] != '\0') {
        line += " -s " + std::string(flag.short_name).substr(1);
    }
    if (flag.choices[0] != '\0') {
        line += " -x -a '" + spaced(flag.choices) + "'";
    } else if (flag.value[0] != '\0') {
        line += " -r";
    }
    return line + " -d " + quoted(words.text(flag.help)) + "\n";
}

std::string fish_script(const Catalogue& words) {
    std::string out;
    for (const FlagSpec& flag : common_flags()) {
        out += fish_flag(flag, "", words);
    }
    for (const CommandSpec* command : shown_commands()) {
        out += "complete -c whygpu -n __fish_use_subcommand -f -a " + std::string(command->name) + " -d " +
               quoted(words.text(command->help)) + "\n";
        for (const FlagSpec& flag : command->flags) {
            out += fish_flag(flag, " -n '__fish_seen_subcommand_from " + std::string(command->name) + "'",
                             words);
        }
    }
    out +=
        "complete -c whygpu -n '__fish_seen_subcommand_from rules' -f -a '(whygpu rules -q 2>/dev/null)'\n";
    return out + "complete -c whygpu -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
}

}  // namespace

std::string completion_script(std::string_view shell, const Catalogue& words) {
    if (shell == "bash") {
        return bash_script();
    }
    if (shell == "zsh") {
        return zsh_script(words);
    }
    return shell == "fish" ? fish_script(words) : "";
}

}  // namespace whygpu
