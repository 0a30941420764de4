#pragma once

#include <span>
#include <string_view>

namespace whygpu {

class Host;
class Knowledge;
struct Facts;
struct Verdict;

/// What a rule may look at.
struct RuleInput {
    const Facts& facts;
    const Knowledge& tables;
};

/// The function of a unit. A probe fills its own section of the facts; a rule is pure.
using ProbeFunction = void (*)(Host& host, Facts& facts);
using RuleFunction = Verdict (*)(const RuleInput& input);

/// What a unit is, by its folder: probes/ or rules/.
enum class UnitKind { probe, rule };

/// A unit as it was found in the source tree: its document in English and (or empty) in Chinese, and
/// its function. cmake/units.cmake writes the table from the folders; there is no list to edit.
struct UnitSource {
    UnitKind kind;
    std::string_view path;  ///< "rules/driver/module_not_loaded"
    std::string_view english;
    std::string_view chinese;
    ProbeFunction probe;
    RuleFunction rule;
};

/// All units, sorted by path.
std::span<const UnitSource> unit_sources();

}  // namespace whygpu
