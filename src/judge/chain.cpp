#include "judge/chain.h"

namespace whygpu {

namespace {

struct AreaLink {
    const char* area;
    const char* link;
    bool proves;  ///< a clear rule of the area says that the link works; others only find faults in it
};

// Which link an area of rules belongs to.
constexpr AreaLink area_links[] = {
    {"hardware", "hardware", true}, {"driver", "driver", true},       {"os", "driver", false},
    {"toolkit", "toolkit", true},   {"loader", "toolkit", true},      {"container", "container", true},
    {"env", "framework", false},    {"framework", "framework", true},
};

constexpr const char* link_order[] = {"hardware", "driver", "toolkit", "container", "framework", "code"};

constexpr AreaLink code_link = {"", "code", true};

const AreaLink& link_of(const std::string& area) {
    for (const AreaLink& row : area_links) {
        if (area == row.area) {
            return row;
        }
    }
    return code_link;
}

}  // namespace

void ChainTally::add(const Document& rule, const Verdict& verdict) {
    const AreaLink& row = link_of(rule.area());
    Tally& tally = tallies_[row.link];
    const bool unknown_error = verdict.kind == Verdict::Kind::unknown && rule.severity == Severity::error;
    tally.unknown += unknown_error ? 1 : 0;
    tally.clear += row.proves && verdict.kind == Verdict::Kind::clear ? 1 : 0;
    for (const Finding& finding : verdict.findings) {
        tally.errors += finding.severity == Severity::error ? 1 : 0;
        tally.warnings += finding.severity == Severity::warning ? 1 : 0;
    }
}

std::vector<Link> ChainTally::links() const {
    std::vector<Link> links;
    for (const char* const name : link_order) {
        const auto found = tallies_.find(name);
        Link link{name, LinkState::unknown};
        if (found != tallies_.end()) {
            const Tally& tally = found->second;
            link.state = tally.errors > 0     ? LinkState::broken
                         : tally.warnings > 0 ? LinkState::warning
                         : tally.unknown > 0  ? LinkState::unknown
                         : tally.clear > 0    ? LinkState::ok
                                              : LinkState::not_applicable;
        }
        links.push_back(link);
    }
    return links;
}

}  // namespace whygpu
