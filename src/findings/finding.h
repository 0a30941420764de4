#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/known.h"

namespace whygpu {

/// How bad it is: work stops, work suffers, worth knowing.
enum class Severity { error, warning, note };
/// How sure the rule is of the cause.
enum class Confidence { certain, likely, possible };
/// Place among the findings of one report; set by findings/rank.
enum class Role { root, contributing, consequence, note };
/// What a fix step may disturb: nothing, something that can be undone, running work.
enum class Safety { safe, caution, disruptive };

/// The identifiers used in JSON and in front matter: "error", "certain", "root", "safe", …
std::string_view name_of(Severity severity);
std::string_view name_of(Confidence confidence);
std::string_view name_of(Role role);
std::string_view name_of(Safety safety);

/// A raw line that was seen and where. `note` is the key of a phrase in the unit's document
/// ("## Notes") that says what the line means; empty when the line speaks for itself.
struct Evidence {
    std::string source;
    int line = 0;
    std::string text;
    std::string note;
};

/// The evidence behind a known fact: its raw line, or the value's own place when it has none.
template <class T>
Evidence evidence_of(const Known<T>& fact, std::string note = "") {
    return Evidence{fact.source().origin, fact.source().line, fact.source().text, std::move(note)};
}

/// One step of a repair as chosen for this machine; texts are filled in by the report.
struct FixStep {
    std::string step;  ///< key of the step's phrase in the unit's document ("## How to fix")
    std::vector<std::string> commands;
    Safety safety = Safety::safe;
    bool needs_root = false;
    bool reboot = false;
    std::vector<std::string> undo;
};

/// What the rules would say after the fix (judge/proof.h).
struct Proof {
    bool resolves = false;            ///< this finding would be gone
    std::vector<std::string> left;    ///< ids of other errors that are there now and would stay
    std::vector<std::string> brings;  ///< ids of errors that the fix would bring: then it is not offered
};

/// One thing that is wrong (or worth knowing). Rules fill the first block; the engine the rest.
struct Finding {
    std::string subject;  ///< what it is about: "0000:01:00.0", "torch 2.4.1+cpu"
    std::string variant;  ///< key of another title in the unit's document; empty for the first one
    Confidence confidence = Confidence::certain;
    std::map<std::string, std::string> args;  ///< values for the {placeholders} of the document
    std::vector<Evidence> evidence;
    std::vector<std::string> candidates;  ///< diagnosis ids, most probable first
    std::string next_test;                ///< command whose answer tells the candidates apart
    std::optional<Severity> softened;     ///< severity of this one where it is not the document's

    std::string id;
    Severity severity = Severity::error;
    Role role = Role::root;
    std::vector<std::string> explains;  ///< ids of the findings and symptoms that follow from this
    std::vector<FixStep> fix;
    std::vector<std::string> verify;
    std::optional<Proof> proof;  ///< empty when the outcome of the fix cannot be predicted
};

/// What a rule says of a machine.
struct Verdict {
    enum class Kind { fired, clear, not_applicable, unknown };
    Kind kind = Kind::clear;
    std::vector<Finding> findings;     ///< fired
    std::string reason;                ///< not_applicable: why, a sentence fragment
    std::vector<std::string> missing;  ///< unknown: paths of the facts that are missing
};

Verdict fired(Finding finding);
Verdict fired(std::vector<Finding> findings);  ///< clear when the list is empty
Verdict clear();
Verdict not_applicable(std::string reason);
Verdict unknown(std::vector<std::string> missing);

}  // namespace whygpu
