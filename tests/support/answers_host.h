#pragma once

#include <memory>
#include <string_view>

#include "host/host.h"

namespace whygpu::testing {

/// A machine that answers with the records of a text in the snapshot format; null (with a failed
/// expectation) when the text cannot be parsed.
std::unique_ptr<Host> host_from_answers(std::string_view text);

}  // namespace whygpu::testing
