#include "host/output_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "host/descriptor.h"

namespace whygpu {

Result<void> write_text_file(const std::string& path, std::string_view text) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file.valid()) {
        return fail(ErrorCode::io, std::strerror(errno));
    }
    if (const int error = write_all(file, text); error != 0) {
        return fail(ErrorCode::io, std::strerror(error));
    }
    return {};
}

}  // namespace whygpu
