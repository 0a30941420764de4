#include <limits>
#include <utility>

#include "facts/access.h"
#include "facts/visit.h"

// Facts from a tree: the facts of unit cases, of --assume and of recorded reports.

namespace whygpu {

namespace {

Result<void> wrong(const std::string& path, const std::string& what) {
    return fail(ErrorCode::invalid_input, path + ": " + what);
}

// ---- plain values: nullopt when the tree holds another type ----

std::optional<bool> read_value(const Json& tree, const bool*) {
    const bool* value = tree.as_bool();
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::int64_t> read_value(const Json& tree, const std::int64_t*) {
    const std::int64_t* value = tree.as_int();
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<double> read_value(const Json& tree, const double*) {
    if (const std::int64_t* whole = tree.as_int()) {
        return static_cast<double>(*whole);
    }
    const double* value = tree.as_double();
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::string> read_value(const Json& tree, const std::string*) {
    const std::string* value = tree.as_string();
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::vector<std::string>> read_value(const Json& tree, const std::vector<std::string>*) {
    const Json::Array* elements = tree.as_array();
    if (elements == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const Json& element : *elements) {
        const std::string* text = element.as_string();
        if (text == nullptr) {
            return std::nullopt;
        }
        texts.push_back(*text);
    }
    return texts;
}

const char* wanted_type(const bool*) {
    return "true or false";
}
const char* wanted_type(const std::int64_t*) {
    return "a whole number";
}
const char* wanted_type(const double*) {
    return "a number";
}
const char* wanted_type(const std::string*) {
    return "a text";
}
const char* wanted_type(const std::vector<std::string>*) {
    return "a list of texts";
}

// ---- facts ----

/// Fails when an object has a member that `allowed` does not name.
Result<void> check_members(const std::string& path, const Json::Object& members,
                           const std::vector<std::string_view>& allowed, const std::string& kind) {
    for (const auto& [name, value] : members) {
        bool known = false;
        for (const std::string_view candidate : allowed) {
            known = known || candidate == name;
        }
        if (!known) {
            return wrong(path.empty() ? name : path + "." + name, "there is no such " + kind);
        }
    }
    return {};
}

/// Reads "source", "line" and "text" beside a value; what is not named stays as it is.
Result<void> read_source(const std::string& path, const Json& tree, Source& source) {
    for (const auto& [key, target] : {std::pair("source", &source.origin), std::pair("text", &source.text)}) {
        const Json* member = tree.find(key);
        if (member == nullptr) {
            continue;
        }
        if (member->as_string() == nullptr) {
            return wrong(path + "." + key, "expected a text");
        }
        *target = *member->as_string();
    }
    if (const Json* line = tree.find("line")) {
        const std::int64_t* number = line->as_int();
        if (number == nullptr || *number < 0 || *number > std::numeric_limits<int>::max()) {
            return wrong(path + ".line", "expected a line number");
        }
        source.line = static_cast<int>(*number);
    }
    return {};
}

/// {"missing": "denied", "because": "…"}
template <class Value>
Result<void> assign_missing(const std::string& path, const Json& tree, Known<Value>& fact) {
    const Result<void> names =
        check_members(path, *tree.as_object(), {"missing", "because", "source", "line", "text"}, "key");
    if (!names) {
        return names;
    }
    const std::string name = tree.text("missing");
    const std::optional<Missing> why = missing_from(name);
    if (!why) {
        return wrong(path, "'" + name + "' is no kind of missing fact");
    }
    Source source;
    const Result<void> read = read_source(path, tree, source);
    if (!read) {
        return read;
    }
    const std::string because = tree.text("because");
    fact = Known<Value>::missing(*why, because.empty() ? name : because, std::move(source));
    return {};
}

/// V, or {"value": V, "source": "/path", "line": 3, "text": "raw line"}
template <class Value>
Result<void> assign_plain(const std::string& path, const Json& tree, Known<Value>& fact) {
    const Json* content = tree.find("value");
    const bool has_source = content != nullptr;
    if (!has_source) {
        content = &tree;
    }
    const Value* type = nullptr;
    std::optional<Value> value = read_value(*content, type);
    if (!value) {
        return wrong(path, std::string("expected ") + wanted_type(type));
    }
    Source source{"case", 0, plain_text(*content)};
    if (has_source) {
        const Result<void> names =
            check_members(path, *tree.as_object(), {"value", "source", "line", "text"}, "key");
        const Result<void> read = names ? read_source(path, tree, source) : names;
        if (!read) {
            return read;
        }
    }
    fact = Known<Value>(std::move(*value), std::move(source));
    return {};
}

template <class Structure>
Result<void> assign_structure(const std::string& path, const Json& tree, Structure& structure);

template <class Structure>
Result<void> assign_list(const std::string& path, const Json& tree, Known<std::vector<Structure>>& fact) {
    const Json::Array* elements = tree.as_array();
    if (elements == nullptr) {
        return wrong(path, "expected a list of tables");
    }
    std::vector<Structure> list;
    for (std::size_t i = 0; i < elements->size(); ++i) {
        Structure structure;
        const Result<void> done =
            assign_structure(path + "[" + std::to_string(i) + "]", (*elements)[i], structure);
        if (!done) {
            return done;
        }
        list.push_back(std::move(structure));
    }
    fact = Known<std::vector<Structure>>(std::move(list), Source{"case", 0, ""});
    return {};
}

template <class Value>
Result<void> assign_fact(const std::string& path, const Json& tree, Known<Value>& fact) {
    if (tree.find("missing") != nullptr) {
        return assign_missing(path, tree, fact);
    }
    if constexpr (is_structure_list<Value>) {
        return assign_list(path, tree, fact);
    } else {
        return assign_plain(path, tree, fact);
    }
}

template <class Structure>
Result<void> assign_structure(const std::string& path, const Json& tree, Structure& structure) {
    const Json::Object* members = tree.as_object();
    if (members == nullptr) {
        return wrong(path, "expected a table of facts");
    }
    std::vector<std::string_view> names;
    Result<void> result;
    each_field(structure, [&](const Field& field, auto& fact) {
        names.emplace_back(field.name);
        const Json* member = tree.find(field.name);
        if (result && member != nullptr) {
            result = assign_fact(path + "." + field.name, *member, fact);
        }
    });
    return result ? check_members(path, *members, names, "fact") : result;
}

}  // namespace

Result<void> assign_facts(Facts& facts, const Json& tree) {
    const Json::Object* members = tree.as_object();
    if (members == nullptr) {
        return wrong("facts", "expected a table of sections");
    }
    // On a copy, so that a mistake leaves no half of a tree behind.
    Facts changed = facts;
    std::vector<std::string_view> names;
    Result<void> result;
    each_section(changed, [&](const char* name, auto& section) {
        names.emplace_back(name);
        const Json* member = tree.find(name);
        if (result && member != nullptr) {
            result = assign_structure(name, *member, section);
        }
    });
    if (result) {
        result = check_members("", *members, names, "section");
    }
    if (result) {
        facts = std::move(changed);
    }
    return result;
}

}  // namespace whygpu
