#include "cli/session.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/commands.h"
#include "host/output_file.h"

namespace whygpu {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string locale_name() {
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (std::string value = variable(name); !value.empty()) {
            return value;
        }
    }
    return "";
}

// A plain "C" locale is what containers have; their terminals still show UTF-8 unless the locale
// names another character set.
bool shows_utf8() {
    const std::string locale = lower(locale_name());
    const bool names_charset = contains(locale, ".");
    return !names_charset || contains(locale, "utf-8") || contains(locale, "utf8");
}

bool wants_color(const Arguments& arguments) {
    const std::string when = arguments.value("--color").value_or("auto");
    if (when != "auto") {
        return when == "always";
    }
    const bool to_terminal = !arguments.has("--output") && isatty(STDOUT_FILENO) == 1;
    return to_terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

int terminal_columns() {
    if (const auto columns = parse_int(variable("COLUMNS"))) {
        return static_cast<int>(std::clamp<std::int64_t>(*columns, 40, 100));
    }
    winsize size{};
    if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return std::clamp<int>(size.ws_col, 40, 100);
    }
    return 100;
}

}  // namespace

Lang chosen_language(const std::vector<std::string>& words) {
    if (const auto lang = early_value(words, "--lang")) {
        return lang_of_locale(*lang);
    }
    if (const std::string value = variable("WHYGPU_LANG"); !value.empty()) {
        return lang_of_locale(value);
    }
    // A report of question marks helps nobody: without UTF-8 English is the better answer.
    if (!shows_utf8()) {
        return Lang::en;
    }
    for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (const std::string value = variable(name); !value.empty()) {
            return lang_of_locale(value);
        }
    }
    return Lang::en;
}

TextStyle chosen_style(const Arguments& arguments, Lang lang) {
    TextStyle style;
    style.color = wants_color(arguments);
    style.ascii = lang == Lang::en && !shows_utf8();
    style.columns = terminal_columns();
    style.verbose = arguments.has("--verbose");
    return style;
}

void complain(const std::string& message, const Session& session) {
    const std::string line = session.words.text("error.prefix", {{"message", message}}) + "\n";
    std::fputs(line.c_str(), stderr);
}

bool write_output(const std::string& text, const Arguments& arguments, const Session& session) {
    const std::optional<std::string> path = arguments.value("--output");
    if (path && *path != "-") {
        const Result<void> written = write_text_file(*path, text);
        if (!written) {
            complain(
                session.words.text("error.output", {{"path", *path}, {"reason", written.error().message}}),
                session);
        }
        return written.has_value();
    }
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

Result<std::chrono::steady_clock::time_point> deadline_of(const Arguments& arguments,
                                                          const Session& session) {
    const std::optional<double> seconds = parse_double(arguments.value("--timeout").value_or("20"));
    if (!seconds || *seconds < 0.1 || *seconds > 3600) {
        return fail(ErrorCode::invalid_input, session.words.text("error.timeout"));
    }
    return session.started + std::chrono::milliseconds(static_cast<long long>(*seconds * 1000));
}

int run_program(const std::vector<std::string>& words) {
    const auto started = std::chrono::steady_clock::now();
    Result<Catalogue> catalogue = Catalogue::load(chosen_language(words));
    if (!catalogue) {
        std::fputs((catalogue.error().message + "\n").c_str(), stderr);
        return exit_internal;
    }
    const Session session{std::move(*catalogue), started};
    Result<ParseOutcome> parsed = parse_arguments(words, session.words);
    if (!parsed) {
        complain(parsed.error().message, session);
        complain(session.words.text("error.usage_hint"), session);
        return exit_usage;
    }
    if (!parsed->arguments) {
        std::fputs(parsed->text.c_str(), stdout);
        return exit_ok;
    }
    return parsed->arguments->command->run(*parsed->arguments, session);
}

}  // namespace whygpu
