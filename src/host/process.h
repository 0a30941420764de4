#pragma once

#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace whygpu {

/// A program to run. There is never a shell in between.
struct ProcessSpec {
    std::string program;                 ///< path of the executable file
    std::vector<std::string> arguments;  ///< argv, its own name first
    int timeout_ms = 3000;
    std::size_t output_limit = std::size_t{4} << 20;  ///< bytes kept; more is read and dropped
    bool plain_locale = true;                         ///< adds LC_ALL=C to the inherited environment
    int deadline_signal = SIGKILL;                    ///< sent to the process group when time is up
};

/// How a program ended and what it printed.
struct ProcessResult {
    int exit_code = 0;         ///< when it ended by itself; -1 when its status was lost
    int signal = 0;            ///< that ended it, 0 when none
    bool timed_out = false;    ///< did not end in time and was sent the signal
    bool abandoned = false;    ///< outlived even that and was left behind
    std::string wait_channel;  ///< kernel function in which it waited at the deadline, "" unknown
    char state = 0;            ///< its state in /proc at the deadline: R, S, D, Z…; 0 unknown
    std::string text;          ///< standard output and error, mixed
    bool truncated = false;    ///< more than `output_limit` bytes were printed
};

/// Runs a program with standard input from /dev/null in a process group of its own and waits for
/// it: for the time-out and about 300 ms more, whatever it does. Processes that it left behind in
/// its group are killed. Fails when it cannot be started: not_found, denied, or io.
Result<ProcessResult> run_process(const ProcessSpec& spec);

/// The name of a signal, "SIGSEGV", or "signal N" for one without a common name.
std::string signal_name(int signal);

/// The executable file that a bare name means on a PATH followed by /sbin and /usr/sbin; relative
/// directories are left out. "" when there is none.
std::string find_program(const std::string& name, const std::string& search_path);

}  // namespace whygpu
