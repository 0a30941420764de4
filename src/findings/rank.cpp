#include "findings/rank.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace whygpu {

namespace {

// From the card up: a broken link makes the ones behind it unusable, never the other way round.
constexpr std::array<std::string_view, 16> chain = {
    "hardware", "driver",    "os",          "container", "toolkit", "loader",    "env",     "framework",
    "memory",   "placement", "distributed", "data",      "code",    "precision", "compile", "performance"};

std::string area_of(const Finding& finding) {
    return finding.id.substr(0, finding.id.find('.'));
}

// Everything that the present findings explain, also through each other.
std::set<std::string> explained_ids(const std::vector<Finding>& findings) {
    std::set<std::string> ids;
    for (const Finding& finding : findings) {
        for (const std::string& id : finding.explains) {
            if (id != finding.id) {
                ids.insert(id);
            }
        }
    }
    return ids;
}

Role role_of(const Finding& finding, const std::set<std::string>& explained, bool any_root_error) {
    if (explained.count(finding.id) > 0) {
        return Role::consequence;
    }
    if (finding.severity == Severity::note) {
        return Role::note;
    }
    return finding.severity == Severity::warning && any_root_error ? Role::contributing : Role::root;
}

}  // namespace

int chain_position(std::string_view area) {
    const auto found = std::find(chain.begin(), chain.end(), area);
    return static_cast<int>(found - chain.begin());
}

std::vector<Finding> ranked(std::vector<Finding> findings) {
    const std::set<std::string> explained = explained_ids(findings);
    const bool any_root_error = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.severity == Severity::error && explained.count(finding.id) == 0;
    });
    for (Finding& finding : findings) {
        finding.role = role_of(finding, explained, any_root_error);
    }
    const auto key = [](const Finding& finding) {
        return std::make_tuple(finding.role == Role::consequence, finding.severity, finding.role,
                               chain_position(area_of(finding)), finding.confidence);
    };
    std::stable_sort(findings.begin(), findings.end(),
                     [&](const Finding& left, const Finding& right) { return key(left) < key(right); });
    return findings;
}

}  // namespace whygpu
