#pragma once

#include <string>

#include "facts/facts.h"
#include "i18n/catalogue.h"

namespace whygpu {

class Knowledge;

/// Names the machine: "Ubuntu 22.04 · kernel 6.8.0-64 · NVIDIA GeForce RTX 5090 · driver 570.86.10".
/// Parts that are not known are left out; only the GPU is named unknown.
std::string machine_line(const Facts& facts, const Knowledge& tables, const Catalogue& words, bool replay);

}  // namespace whygpu
