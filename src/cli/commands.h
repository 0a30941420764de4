#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

struct Session;
class Arguments;

/// An option as it is parsed, documented and completed; one row is all there is of it.
struct FlagSpec {
    const char* name;        ///< "--snapshot"
    const char* short_name;  ///< "-o", empty when there is none
    const char* value;       ///< placeholder of its value, "FILE"; empty for a switch
    const char* choices;     ///< "text|json|md", empty when anything goes
    const char* help;        ///< key of its description in the catalogue
    bool many = false;       ///< may be given more than once
};

/// A command of whygpu; help, man page and completions are made from this table.
struct CommandSpec {
    const char* name;
    const char* positionals;  ///< as shown: "A B", "[ID]", empty
    int positional_min;
    int positional_max;
    const char* help;  ///< key of its one-line description in the catalogue
    bool hidden;
    std::vector<FlagSpec> flags;
    int (*run)(const Arguments& arguments, const Session& session);
};

/// All commands in the order of the help text; the one of that name, nullptr when there is none.
std::span<const CommandSpec> commands();
const CommandSpec* command_named(std::string_view name);

/// The flags that every command takes, before or after its name.
std::span<const FlagSpec> common_flags();

/// The exit codes, as scripts rely on them.
enum ExitCode { exit_ok = 0, exit_findings = 1, exit_usage = 2, exit_blind = 3, exit_internal = 4 };

/// The commands, each in its own file: they print to the session and return an ExitCode.
int run_doctor(const Arguments& arguments, const Session& session);
int run_snapshot(const Arguments& arguments, const Session& session);
int run_diff(const Arguments& arguments, const Session& session);
int run_rules(const Arguments& arguments, const Session& session);
int run_man(const Arguments& arguments, const Session& session);
int run_completion(const Arguments& arguments, const Session& session);
int run_ask(const Arguments& arguments, const Session& session);

}  // namespace whygpu
