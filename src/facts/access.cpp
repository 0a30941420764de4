#include "facts/access.h"

#include <utility>

#include "base/text.h"
#include "facts/visit.h"

// Everything but reading facts from a tree, which is assign.cpp. All of it follows from `describe`:
// no field is named here.

namespace whygpu {

namespace {

constexpr const char* redacted = "(redacted)";

// ---- JSON ----

template <class Structure>
Json structure_json(const Structure& structure, bool redact);

template <class Value>
Json fact_json(const Field& field, const Known<Value>& fact, bool redact) {
    if (!fact.known()) {
        Json why = Json::object();
        why.set("missing", name_of(fact.why()));
        why.set("because", fact.because());
        return why;
    }
    if (redact && field.identifying) {
        return Json(redacted);
    }
    if constexpr (is_structure_list<Value>) {
        Json list = Json::array();
        for (const auto& element : *fact) {
            list.push(structure_json(element, redact));
        }
        return list;
    } else {
        return plain_json(*fact);
    }
}

template <class Structure>
Json structure_json(const Structure& structure, bool redact) {
    Json out = Json::object();
    each_field(structure, [&]<class Value>(const Field& field, const Known<Value>& fact) {
        out.set(field.name, fact_json(field, fact, redact));
    });
    return out;
}

// ---- documentation ----

template <class Structure>
void add_docs(const std::string& prefix, std::vector<FieldDoc>& docs) {
    auto visit = [&]<class Value>(const Field& field, Known<Value> Structure::*) {
        const std::string path = prefix + field.name;
        docs.push_back(FieldDoc{path, field.meaning, field.identifying});
        if constexpr (is_structure_list<Value>) {
            add_docs<typename Value::value_type>(path + "[].", docs);
        }
    };
    Structure::describe(visit);
}

// ---- comparison ----

template <class Structure>
void flatten(const std::string& prefix, const Structure& structure, std::map<std::string, std::string>& out) {
    each_field(structure, [&]<class Value>(const Field& field, const Known<Value>& fact) {
        const std::string path = prefix + field.name;
        if (!fact.known()) {
            out[path] = "(" + std::string(name_of(fact.why())) + ": " + fact.because() + ")";
            return;
        }
        if constexpr (is_structure_list<Value>) {
            out[path] = std::to_string(fact->size());
            for (std::size_t i = 0; i < fact->size(); ++i) {
                flatten(path + "[" + std::to_string(i) + "].", (*fact)[i], out);
            }
        } else {
            out[path] = plain_text(plain_json(*fact));
        }
    });
}

// ---- by path ----

/// Calls `use(fact)` with the fact at a path; false when the path names none.
template <class AnyFacts, class Use>
bool with_fact(AnyFacts& facts, std::string_view path, Use use) {
    const FactPath wanted = fact_path(path);
    bool found = false;
    each_section(facts, [&](std::string_view name, auto& section) {
        if (name != wanted.section) {
            return;
        }
        each_field(section, [&](const Field& field, auto& fact) {
            if (field.name == wanted.field) {
                use(fact);
                found = true;
            }
        });
    });
    return found;
}

template <class Value>
void forget(Known<Value>& fact, Missing why, const std::string& because) {
    fact = Known<Value>::missing(why, because);
}

}  // namespace

std::string plain_text(const Json& value) {
    if (const std::string* text = value.as_string()) {
        return *text;
    }
    const Json::Array* elements = value.as_array();
    if (elements == nullptr) {
        return to_text(value);
    }
    std::vector<std::string> pieces;
    for (const Json& element : *elements) {
        pieces.push_back(plain_text(element));
    }
    return join(pieces, ", ");
}

FactPath fact_path(std::string_view path) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) {
        return FactPath{path, {}};
    }
    return FactPath{path.substr(0, dot), path.substr(dot + 1)};
}

Json facts_to_json(const Facts& facts, bool redact) {
    Json out = Json::object();
    each_section(facts, [&](const char* name, const auto& section) {
        out.set(name, structure_json(section, redact));
    });
    return out;
}

bool copy_section(const Facts& from, Facts& to, std::string_view section) {
    bool found = false;
    auto visit = [&]<class Section>(const char* name, Section Facts::* member) {
        if (name == section) {
            to.*member = from.*member;
            found = true;
        }
    };
    Facts::describe(visit);
    return found;
}

bool forget_section(Facts& facts, std::string_view section, Missing why, const std::string& because) {
    bool found = false;
    each_section(facts, [&](std::string_view name, auto& fields) {
        if (name != section) {
            return;
        }
        each_field(fields, [&](const Field&, auto& fact) { forget(fact, why, because); });
        found = true;
    });
    return found;
}

bool forget_fact(Facts& facts, std::string_view path, Missing why, const std::string& because) {
    return with_fact(facts, path, [&](auto& fact) { forget(fact, why, because); });
}

std::optional<FactState> fact_state(const Facts& facts, std::string_view path) {
    std::optional<FactState> state;
    with_fact(facts, path, [&](const auto& fact) {
        state = fact.known() ? FactState{true, Missing::not_asked, ""}
                             : FactState{false, fact.why(), fact.because()};
    });
    return state;
}

std::vector<FieldDoc> field_docs() {
    std::vector<FieldDoc> docs;
    auto visit = [&]<class Section>(const char* name, Section Facts::*) {
        add_docs<Section>(std::string(name) + ".", docs);
    };
    Facts::describe(visit);
    return docs;
}

std::vector<std::string> section_names() {
    std::vector<std::string> names;
    auto visit = [&]<class Section>(const char* name, Section Facts::*) { names.emplace_back(name); };
    Facts::describe(visit);
    return names;
}

std::map<std::string, std::string> flattened(const Facts& facts) {
    std::map<std::string, std::string> out;
    each_section(facts, [&](const char* name, const auto& section) {
        flatten(std::string(name) + ".", section, out);
    });
    return out;
}

}  // namespace whygpu
