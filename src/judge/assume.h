#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "facts/facts.h"

namespace whygpu {

class Knowledge;

/// Changes facts to what they would be: the machine after a repair, or a what-if of the user's.
///
/// `driver.version=580.95.05`  an NVIDIA driver of that version, loaded, with its libraries and nodes
/// `torch=2.7.1+cu128`         that PyTorch in the default Python ("+cpu" for a CPU build)
/// `gpu=NVIDIA GeForce RTX 5090`  that card, alone, in place of the NVIDIA cards that are there
/// `kernel=6.8.0-90-generic`   that kernel running, with the NVIDIA module built for it
/// `unset=CUDA_VISIBLE_DEVICES`  without that environment variable
/// `nodes=usable`              every device node may be opened
/// `section.field=VALUE`       any fact that has a path of its own; VALUE as TOML writes it, or plain text
///
/// Fails, worded for the user, on an unknown key, card or fact.
Result<void> assume(Facts& facts, const Knowledge& tables, std::string_view term);

}  // namespace whygpu
