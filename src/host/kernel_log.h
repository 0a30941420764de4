#pragma once

#include <string>
#include <string_view>

#include "host/host.h"

namespace whygpu {

/// The kernel's ring buffer as QueryKind::kernel_log wants it: the newest 4 MiB, from /dev/kmsg or
/// else from syslog(2). Denied where both are refused.
Answer read_kernel_log();

/// One record of /dev/kmsg, "priority,sequence,microseconds,flags;text", as "[seconds] text" lines;
/// "" for anything else. Its dictionary (lines that start with a space) is left out.
std::string format_kernel_record(std::string_view record);

/// The text of syslog(2), whose lines start with "<priority>", without that.
std::string without_priorities(std::string_view text);

}  // namespace whygpu
