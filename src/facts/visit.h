#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "facts/facts.h"

// What the access_*.cpp files share: walking over Facts, and values as text. Not for other folders.

namespace whygpu {

/// Calls `use(name, section)` for each section of `facts`, in order. Facts may be const.
template <class AnyFacts, class Use>
void each_section(AnyFacts& facts, Use use) {
    auto visit = [&]<class Section>(const char* name, Section Facts::* member) { use(name, facts.*member); };
    Facts::describe(visit);
}

/// Calls `use(field, fact)` for each member of a facts structure (a section or an element of a list).
template <class Structure, class Use>
void each_field(Structure& structure, Use use) {
    using Described = std::remove_const_t<Structure>;
    auto visit = [&]<class Value>(const Field& field, Known<Value> Described::* member) {
        use(field, structure.*member);
    };
    Described::describe(visit);
}

/// Whether the values of a fact are lists of facts structures.
template <class Value>
constexpr bool is_structure_list = false;
template <class Structure>
constexpr bool is_structure_list<std::vector<Structure>> = true;
template <>
inline constexpr bool is_structure_list<std::vector<std::string>> = false;

/// A plain value as it appears in JSON.
template <class Value>
Json plain_json(const Value& value) {
    return Json(value);
}
template <>
inline Json plain_json(const std::vector<std::string>& value) {
    return Json::array_of(value);
}

/// A plain value in one line: a string as it stands, a list joined by ", ".
std::string plain_text(const Json& value);

/// "section.field" cut at its first dot; an empty field when there is no dot.
struct FactPath {
    std::string_view section;
    std::string_view field;
};
FactPath fact_path(std::string_view path);

}  // namespace whygpu
