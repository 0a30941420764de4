#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "cli/session.h"

int main(int argc, char** argv) {
    int code = 4;
    try {
        code = whygpu::run_program(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "whygpu: internal error: %s\n", error.what());
    }
    // Probes that hang leave threads behind (judge/collect.h); destructors of statics must not run
    // under them, and nothing may wait for them.
    std::fflush(nullptr);
    std::_Exit(code);
}
