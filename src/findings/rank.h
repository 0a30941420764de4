#pragma once

#include <vector>

#include "findings/finding.h"

namespace whygpu {

/// Orders findings and gives them their roles; the only place that does. A finding whose id another
/// finding explains (directly or through others) becomes a consequence of it. Then come errors before
/// warnings before notes, roots before contributing ones before consequences, the earlier link of
/// the chain (hardware first) before the later one, the more certain before the less.
std::vector<Finding> ranked(std::vector<Finding> findings);

/// The position of an area in the chain from hardware to code; the areas that are not part of the
/// chain come last.
int chain_position(std::string_view area);

}  // namespace whygpu
