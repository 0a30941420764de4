#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "i18n/catalogue.h"

namespace whygpu {

struct CommandSpec;

/// A parsed command line.
class Arguments {
public:
    const CommandSpec* command = nullptr;
    std::vector<std::string> positionals;
    std::map<std::string, std::vector<std::string>> options;  ///< by long name, "--snapshot"

    bool has(const std::string& name) const { return options.count(name) > 0; }
    std::optional<std::string> value(const std::string& name) const;
    std::vector<std::string> values(const std::string& name) const;
};

/// What to do when there is nothing to run: print a text and end.
struct ParseOutcome {
    std::optional<Arguments> arguments;
    std::string text;  ///< help or version to print on standard output
};

/// Parses what follows the program's name; a command line without a command is `doctor`. Errors are
/// usage errors, worded for the user.
Result<ParseOutcome> parse_arguments(const std::vector<std::string>& words, const Catalogue& catalogue);

/// The value of a common flag before parsing ("--lang"), since help and errors already need it.
std::optional<std::string> early_value(const std::vector<std::string>& words, std::string_view flag);

}  // namespace whygpu
