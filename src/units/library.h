#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "units/document.h"

namespace whygpu {

/// A rule: its parsed document and its function, which is never null in a library.
struct RuleUnit {
    Document document;
    RuleFunction check = nullptr;
};

/// A probe, likewise.
struct ProbeUnit {
    Document document;
    ProbeFunction probe = nullptr;
};

/// All units with their documents parsed, in path order.
class UnitLibrary {
public:
    /// Fails on the first document that cannot be parsed (which the contract tests rule out).
    static Result<UnitLibrary> load();

    const std::vector<RuleUnit>& rules() const { return rules_; }
    const std::vector<ProbeUnit>& probes() const { return probes_; }

    /// The rule document with that id, nullptr when there is none.
    const Document* find(std::string_view id) const;

private:
    std::vector<RuleUnit> rules_;
    std::vector<ProbeUnit> probes_;
};

}  // namespace whygpu
