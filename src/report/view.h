#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "facts/facts.h"
#include "i18n/catalogue.h"
#include "judge/judge.h"

namespace whygpu {

/// A finding with its texts in the reader's language, safe to print (no control characters).
struct ShownFinding {
    Finding finding;
    std::string title;
    std::string explanation;
    std::vector<std::string> evidence_notes;  ///< one for each Finding::evidence, empty when it has none
    std::vector<std::string> step_titles;     ///< one for each Finding::fix
    std::string docs;                         ///< "whygpu rules ID"
};

/// A fact that rules asked for and that could not be had.
struct ShownGap {
    std::string what;    ///< "kernel log"
    std::string reason;  ///< "permission denied"
    bool sudo_helps = false;
};

/// Everything that a report says; the one source of all formats.
struct Report {
    std::string version;
    std::string command;
    std::string machine;   ///< the parts of the first line, joined by " · "
    std::string headline;  ///< the verdict in one sentence
    Diagnosis diagnosis;
    std::vector<ShownFinding> findings;
    std::vector<ShownGap> gaps;
    Json facts;
    long long elapsed_ms = 0;
};

struct ReportContext {
    std::string command;  ///< "doctor"
    bool replay = false;  ///< a snapshot or an unpacked tree, not the machine under it
    bool redact = true;
    long long elapsed_ms = 0;
    std::string assumed;  ///< the user's what-ifs, empty when there are none
};

/// Puts a diagnosis into words.
Report make_report(const Facts& facts, const Knowledge& tables, Diagnosis diagnosis, const UnitLibrary& units,
                   const Catalogue& words, const ReportContext& context);

/// A document's prose in the catalogue's language, English when there is no translation.
const Prose& prose_in(const Document& document, const Catalogue& words);

/// The version of this whygpu, "0.1.0".
std::string program_version();

}  // namespace whygpu
