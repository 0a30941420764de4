#pragma once

#include <map>
#include <string>

#include "knowledge/torch.h"

namespace whygpu {

class Knowledge;
struct Facts;
struct Gpu;

/// The placeholders that the [[fix]] rows of torch findings use: torch_new, tag_new, torch_install (the
/// requirements and index that pip gets), torch_undo for the installed one, advice ("wheel" when one fits,
/// "driver" when only a newer driver would make one fit). Names are left out when nothing is known to fit,
/// and the rows that need them are then not printed.
std::map<std::string, std::string> torch_advice(const Facts& facts, const Knowledge& tables, const Gpu& gpu);

}  // namespace whygpu
