#include "base/bug.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace whygpu {

void bug(const char* what) {
#ifndef NDEBUG
    // allow(layer): a broken invariant must be heard before the abort, whoever is the caller
    std::fprintf(stderr, "whygpu: broken invariant: %s\n", what);
    std::abort();
#else
    throw Bug(what);
#endif
}

}  // namespace whygpu
