#include "cli/commands.h"

namespace whygpu {

std::span<const FlagSpec> common_flags() {
    static const std::vector<FlagSpec> flags = {
        {"--format", "", "FORMAT", "text|json|md|script", "help.format"},
        {"--output", "-o", "FILE", "", "help.output"},
        {"--lang", "", "LANG", "en|zh", "help.lang"},
        {"--color", "", "WHEN", "auto|always|never", "help.color"},
        {"--verbose", "-v", "", "", "help.verbose"},
        {"--quiet", "-q", "", "", "help.quiet"},
        {"--only", "", "PREFIX", "", "help.only", true},
        {"--skip", "", "PREFIX", "", "help.skip", true},
        {"--fail-on", "", "LEVEL", "error|warning|never", "help.fail_on"},
        {"--strict", "", "", "", "help.strict"},
        {"--timeout", "", "SECONDS", "", "help.timeout"},
        {"--no-redact", "", "", "", "help.no_redact"},
        {"--knowledge", "", "DIR", "", "help.knowledge"},
    };
    return flags;
}

std::span<const CommandSpec> commands() {
    static const std::vector<CommandSpec> all = {
        {"doctor",
         "",
         0,
         0,
         "help.doctor",
         false,
         {{"--snapshot", "", "FILE", "", "help.doctor_snapshot"},
          {"--root", "", "DIR", "", "help.doctor_root"},
          {"--assume", "", "KEY=VALUE", "", "help.doctor_assume", true}},
         &run_doctor},
        {"snapshot",
         "",
         0,
         0,
         "help.snapshot",
         false,
         {{"--show", "", "FILE", "", "help.snapshot_show"}},
         &run_snapshot},
        {"diff", "A B", 2, 2, "help.diff", false, {}, &run_diff},
        {"rules", "[ID]", 0, 1, "help.rules", false, {}, &run_rules},
        {"completion", "bash|zsh|fish", 1, 1, "help.completion", false, {}, &run_completion},
        {"man", "", 0, 0, "help.man", false, {}, &run_man},
        {"_ask", "cuda|nvml|hip|opencl", 1, 1, "help.ask", true, {}, &run_ask},
    };
    return all;
}

const CommandSpec* command_named(std::string_view name) {
    for (const CommandSpec& command : commands()) {
        if (name == command.name) {
            return &command;
        }
    }
    return nullptr;
}

}  // namespace whygpu
