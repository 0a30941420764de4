#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "host/host.h"
#include "i18n/catalogue.h"
#include "report/render.h"

namespace whygpu {

/// What every command of one run shares.
struct Session {
    Catalogue words;
    std::chrono::steady_clock::time_point started;
};

/// The language: --lang, else WHYGPU_LANG, LC_ALL, LC_MESSAGES, LANG; of the locale only where its character
/// set can be written.
Lang chosen_language(const std::vector<std::string>& words);

/// What the terminal (or file) behind standard output can show.
TextStyle chosen_style(const Arguments& arguments, Lang lang);

/// Prints a message for people on standard error.
void complain(const std::string& message, const Session& session);

/// Writes to the file of -o, else to standard output; false (after complaining) when it cannot.
bool write_output(const std::string& text, const Arguments& arguments, const Session& session);

/// The end of the run: --timeout seconds after its start, 20 by default; an error for a bad number.
Result<std::chrono::steady_clock::time_point> deadline_of(const Arguments& arguments, const Session& session);

/// Runs the whole program; `words` are the arguments after its name.
int run_program(const std::vector<std::string>& words);

}  // namespace whygpu
