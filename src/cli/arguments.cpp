#include "cli/arguments.h"

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "report/view.h"

namespace whygpu {

namespace {

// Names of flags that take a value, so that the value is not taken for a command.
bool takes_value(std::string_view word) {
    const auto matches = [&](const FlagSpec& flag) {
        return flag.value[0] != '\0' &&
               (word == flag.name || (flag.short_name[0] != '\0' && word == flag.short_name));
    };
    for (const FlagSpec& flag : common_flags()) {
        if (matches(flag)) {
            return true;
        }
    }
    for (const CommandSpec& command : commands()) {
        for (const FlagSpec& flag : command.flags) {
            if (matches(flag)) {
                return true;
            }
        }
    }
    return false;
}

// The place of the first word that is neither an option nor an option's value; words.size() if none.
std::size_t first_positional(const std::vector<std::string>& words) {
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (words[index] == "--") {
            return index + 1;
        }
        if (words[index].starts_with("-") && words[index] != "-") {
            index += takes_value(words[index]) ? 1 : 0;
            continue;
        }
        return index;
    }
    return words.size();
}

void add_flag(CLI::App& app, const FlagSpec& flag, Arguments& arguments) {
    std::string names = flag.name;
    if (flag.short_name[0] != '\0') {
        names = std::string(flag.short_name) + "," + names;
    }
    const std::string name = flag.name;
    if (flag.value[0] == '\0') {
        app.add_flag_callback(names, [&arguments, name] { arguments.options[name] = {""}; });
        return;
    }
    CLI::Option* option = app.add_option_function<std::vector<std::string>>(
        names,
        [&arguments, name](const std::vector<std::string>& values) { arguments.options[name] = values; });
    option->expected(1)->allow_extra_args(false)->multi_option_policy(
        flag.many ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
    if (flag.choices[0] != '\0') {
        std::vector<std::string> choices;
        for (const std::string_view choice : split(flag.choices, '|')) {
            choices.emplace_back(choice);
        }
        option->check(CLI::IsMember(choices));
    }
}

Result<ParseOutcome> parse_command(const CommandSpec& command, std::vector<std::string> words) {
    ParseOutcome outcome;
    Arguments arguments;
    arguments.command = &command;
    CLI::App app("whygpu");
    app.set_help_flag();
    for (const FlagSpec& flag : common_flags()) {
        add_flag(app, flag, arguments);
    }
    for (const FlagSpec& flag : command.flags) {
        add_flag(app, flag, arguments);
    }
    if (command.positional_max > 0) {
        app.add_option("arguments", arguments.positionals)
            ->expected(command.positional_min, command.positional_max);
    }
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
        app.parse(words);
    } catch (const CLI::Error& error) {
        return fail(ErrorCode::invalid_input, error.what());
    }
    if (static_cast<int>(arguments.positionals.size()) < command.positional_min) {
        return fail(ErrorCode::invalid_input, std::string(command.name) + " needs: " + command.positionals);
    }
    outcome.arguments = std::move(arguments);
    return outcome;
}

}  // namespace

std::optional<std::string> Arguments::value(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() || found->second.empty() ? std::nullopt
                                                           : std::optional(found->second.back());
}

std::vector<std::string> Arguments::values(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string> early_value(const std::vector<std::string>& words, std::string_view flag) {
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (words[index] == flag && index + 1 < words.size()) {
            return words[index + 1];
        }
        if (const auto value = after_prefix(words[index], std::string(flag) + "=")) {
            return std::string(*value);
        }
    }
    return std::nullopt;
}

Result<ParseOutcome> parse_arguments(const std::vector<std::string>& words, const Catalogue& catalogue) {
    const std::size_t position = first_positional(words);
    std::vector<std::string> rest = words;
    const CommandSpec* command = command_named("doctor");
    if (position < words.size()) {
        command = command_named(words[position]);
        if (command == nullptr) {
            return fail(ErrorCode::invalid_input,
                        catalogue.text("error.no_command", {{"name", words[position]}}));
        }
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(position));
    }
    const auto given = [&](std::string_view word) {
        return std::find(rest.begin(), rest.end(), word) != rest.end();
    };
    if (given("--help") || given("-h")) {
        const bool about_command = position < words.size();
        return ParseOutcome{std::nullopt,
                            about_command ? command_help(*command, catalogue) : program_help(catalogue)};
    }
    if (given("--version")) {
        return ParseOutcome{std::nullopt, "whygpu " + program_version() + "\n"};
    }
    return parse_command(*command, std::move(rest));
}

}  // namespace whygpu
