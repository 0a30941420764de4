#include "findings/rank.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

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
    const auto key = [&](std::size_t index) {
        const Finding& finding = findings[index];
        return std::make_tuple(finding.role == Role::consequence, finding.severity, finding.role,
                               chain_position(area_of(finding)), finding.confidence, index);
    };
    std::vector<std::size_t> order(findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t left, std::size_t right) { return key(left) < key(right); });
    std::vector<Finding> sorted;
    for (const std::size_t index : order) {
        sorted.push_back(std::move(findings[index]));
    }
    return sorted;
}

}  // namespace whygpu
