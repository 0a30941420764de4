#pragma once

#include <map>

#include "judge/judge.h"

namespace whygpu {

/// Collects what the rules of each area said into the states of the chain's links.
class ChainTally {
public:
    void add(const Document& rule, const Verdict& verdict);

    /// hardware, driver, toolkit, container, framework, code, in this order. A link is ok only when
    /// something was checked there and nothing that could be an error stayed unknown.
    std::vector<Link> links() const;

private:
    struct Tally {
        int errors = 0;
        int warnings = 0;
        int clear = 0;
        int unknown = 0;
    };
    std::map<std::string, Tally> tallies_;
};

}  // namespace whygpu
