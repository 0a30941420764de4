#pragma once

#include <string>

#include "i18n/catalogue.h"

namespace whygpu {

struct CommandSpec;

/// `whygpu --help`: what it is, the commands, the common flags, the exit codes.
std::string program_help(const Catalogue& words);

/// `whygpu COMMAND --help`.
std::string command_help(const CommandSpec& command, const Catalogue& words);

/// The manual page in troff.
std::string man_page(const Catalogue& words);

/// A completion script for "bash", "zsh" or "fish"; empty for any other shell.
std::string completion_script(std::string_view shell, const Catalogue& words);

}  // namespace whygpu
