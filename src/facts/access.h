#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "facts/facts.h"

// Facts by name, for JSON, documents, comparison and tests. A path is "section.field"; fields inside
// lists have no path of their own.

namespace whygpu {

/// {"os": {"id": "ubuntu", "like": {"missing": "absent", "because": "…"}}, …}; sources are left out.
/// Identifying fields become "(redacted)" when `redact` is set.
Json facts_to_json(const Facts& facts, bool redact);

/// Sets the facts named in a tree of the same form (facts not named stay as they are). A value may
/// also be {"value": V, "source": "/path", "line": 3, "text": "raw line"}. Without a source the
/// value's own text is its evidence, origin "case". Fails on unknown names and wrong types.
Result<void> assign_facts(Facts& facts, const Json& tree);

/// Copies one section ("kernel") from one Facts to another; false when there is no such section.
bool copy_section(const Facts& from, Facts& to, std::string_view section);

/// Makes every field of a section missing for one reason; false when there is no such section.
bool forget_section(Facts& facts, std::string_view section, Missing why, const std::string& because);

/// Makes one fact missing; false when the path names none.
bool forget_fact(Facts& facts, std::string_view path, Missing why, const std::string& because);

struct FactState {
    bool known = false;
    Missing why = Missing::not_asked;
    std::string because;
};
/// Whether the fact at a path is known; nullopt when the path names none.
std::optional<FactState> fact_state(const Facts& facts, std::string_view path);

struct FieldDoc {
    std::string path;  ///< "pci.gpus[].address" for fields inside lists
    std::string meaning;
    bool identifying = false;
};
/// Every field of Facts in order.
std::vector<FieldDoc> field_docs();

/// The names of the sections in order.
std::vector<std::string> section_names();

/// Path → value as text for every known scalar and list ("pci.gpus[0].driver" → "nvidia"), and
/// "(absent: …)" for missing ones: what `whygpu diff` compares.
std::map<std::string, std::string> flattened(const Facts& facts);

}  // namespace whygpu
