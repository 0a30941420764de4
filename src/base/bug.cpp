#include "base/bug.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace whygpu {

void bug(const char* what) {
#ifndef NDEBUG
    std::fprintf(stderr, "whygpu: broken invariant: %s\n", what);
    std::abort();
#else
    throw Bug(what);
#endif
}

}  // namespace whygpu
