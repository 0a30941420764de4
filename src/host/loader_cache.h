#pragma once

#include <string>
#include <vector>

#include "host/host.h"

namespace whygpu {

/// An entry of the dynamic loader's cache.
struct CachedLibrary {
    std::string name;  ///< libcuda.so.1
    std::string path;  ///< /lib/x86_64-linux-gnu/libcuda.so.1
    Source source;     ///< the line of `ldconfig -p`
};

/// The 64-bit libraries in the cache, in the order in which the loader takes them. Missing when there
/// is no ldconfig or no cache, as in minimal containers and with musl.
Known<std::vector<CachedLibrary>> loader_cache(Host& host);

}  // namespace whygpu
