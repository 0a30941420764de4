#pragma once

#include <cstdio>
#include <cstdlib>

#include "knowledge/knowledge.h"

namespace whygpu {

/// The embedded tables, loaded once for all tests of a binary.
inline const Knowledge& embedded_knowledge() {
    static const Knowledge tables = [] {
        Result<Knowledge> loaded = Knowledge::load();
        if (!loaded) {
            std::fputs(loaded.error().message.c_str(), stderr);
            std::abort();
        }
        return std::move(*loaded);
    }();
    return tables;
}

}  // namespace whygpu
