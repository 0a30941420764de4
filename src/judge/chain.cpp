#include "judge/chain.h"

namespace whygpu {

namespace {

struct AreaLink {
    const char* area;
    const char* link;
};

// Which link an area of rules belongs to.
constexpr AreaLink area_links[] = {
    {"hardware", "hardware"}, {"driver", "driver"},       {"os", "driver"},           {"toolkit", "toolkit"},
    {"loader", "toolkit"},    {"container", "container"}, {"framework", "framework"}, {"env", "framework"},
};

constexpr const char* link_order[] = {"hardware", "driver", "toolkit", "container", "framework", "code"};

std::string link_of(const std::string& area) {
    for (const AreaLink& row : area_links) {
        if (area == row.area) {
            return row.link;
        }
    }
    return "code";
}

}  // namespace

void ChainTally::add(const Document& rule, const Verdict& verdict) {
    Tally& tally = tallies_[link_of(rule.area())];
    const bool unknown_error = verdict.kind == Verdict::Kind::unknown && rule.severity == Severity::error;
    tally.unknown += unknown_error ? 1 : 0;
    tally.clear += verdict.kind == Verdict::Kind::clear ? 1 : 0;
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
