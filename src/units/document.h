#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "findings/finding.h"
#include "units/registry.h"

namespace whygpu {

/// The prose of a unit in one language, as templates with {placeholders}.
struct Prose {
    std::string title;
    std::map<std::string, std::string> variants;  ///< "## Variants": other titles by key
    std::map<std::string, std::string> notes;     ///< "## Notes": what a line of evidence means
    std::map<std::string, std::string> steps;     ///< "## How to fix": title of each fix step
    std::string meaning;                          ///< "## What it means"
    std::string tell;                             ///< "## How to tell"
    std::string fix;                              ///< "## How to fix", without the step list
};

/// A row of [[fix]]: one way to do a step, for machines on which all `when` terms hold.
struct FixRow {
    std::string step;
    std::vector<std::string> when;  ///< "family=debian", "container!=true"
    std::vector<std::string> commands;
    Safety safety = Safety::safe;
    bool needs_root = false;
    bool reboot = false;
    std::vector<std::string> undo;
};

/// A row of [[verify]].
struct VerifyRow {
    std::vector<std::string> when;
    std::vector<std::string> commands;
};

/// A row of [[predict]]: what would be so after the fix, in the terms of judge/assume.h.
struct PredictRow {
    std::vector<std::string> when;
    std::vector<std::string> assume;
};

/// A unit's document: front matter and prose. See CONTRIBUTING.md for the format.
struct Document {
    std::string id;
    std::string section;  ///< probes: the section of Facts that it fills
    Severity severity = Severity::error;
    std::vector<std::string> applies;   ///< terms; not_applicable unless all hold
    std::vector<std::string> needs;     ///< fact paths; unknown unless all are known
    std::vector<std::string> explains;  ///< ids that this one causes
    std::vector<std::string> sources;
    std::string since;
    std::vector<FixRow> fixes;
    std::vector<VerifyRow> verify;
    std::vector<PredictRow> predictions;
    std::string area() const { return id.substr(0, id.find('.')); }

    Prose english;
    std::optional<Prose> chinese;
    std::string english_hash;  ///< content_hash of the English prose (without cases)
    std::string translates;    ///< the hash that the translation was made from
};

/// Parses a unit's documents; the error names the unit and what is wrong with it.
Result<Document> parse_document(const UnitSource& source);

/// The part of a unit's Markdown between front matter and "## Cases": what gets translated.
std::string_view prose_of(std::string_view markdown);

}  // namespace whygpu
