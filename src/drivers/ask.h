#pragma once

#include <string_view>

namespace whygpu {

/// Asks one vendor's driver library everything whygpu wants to know and writes the answers to
/// `output_fd` while they come, one JSON object a line. For the child process `whygpu _ask NAME` only:
/// a broken driver may crash, hang or end the process that calls this.
///
/// `name` is "cuda", "nvml", "hip" or "opencl". Returns the exit code: 0 when the questions could be asked
/// (an absent library and a failed call are answers too), 2 for an unknown name.
///
/// Lines, each written before anything else happens:
///   {"begin":"cuInit"}                                    before a call
///   {"call":"cuInit","code":0,"name":"CUDA_SUCCESS",…}    after it, with its values when it has any
///   {"call":"cuInit","missing_symbol":true}               instead of both: the library has no such call
///   {"call":"dlopen","library":"…","file":"…"}            loaded; or "error" and "reason", which is
///                                                         absent, wrong-architecture, denied or other
///   {"call":"open","path":"/dev/kfd","errno":13,…}        a device node, tried after a failed start
///   (nodes.h)
/// Calls about one device carry "device", its index. "call" is the name without version suffix;
/// "symbol" is added where another symbol was used.
int ask_driver(std::string_view name, int output_fd);

}  // namespace whygpu
