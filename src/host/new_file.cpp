#include "host/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "host/descriptor.h"
#include "host/files.h"

namespace whygpu {

namespace {

tl::unexpected<Error> io_failure(const std::string& path, int error) {
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    const ErrorCode code = error == ENOENT ? ErrorCode::not_found
                           : denied        ? ErrorCode::denied
                                           : ErrorCode::io;
    return fail(code, path + ": " + std::generic_category().message(error));
}

/// errno, 0 when all of it is on its way to the disk.
int write_and_sync(const Descriptor& file, std::string_view bytes) {
    const int error = write_all(file, bytes);
    if (error != 0) {
        return error;
    }
    return fsync(file.get()) == 0 ? 0 : errno;
}

}  // namespace

Result<void> write_private_file(const std::string& path, std::string_view bytes) {
    struct stat status{};
    if (lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
        // A rename by root would put a file in the place of /dev/null or of what a link names.
        return fail(ErrorCode::invalid_input, path + ": exists and is no regular file");
    }
    // mkostemp creates with O_EXCL and mode 0600, under a name that nobody can foresee.
    std::string temporary = path + ".XXXXXX";
    const Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.valid()) {
        return io_failure(path, errno);
    }
    int error = write_and_sync(file, bytes);
    if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        unlink(temporary.c_str());
        return io_failure(path, error);
    }
    return {};
}

Result<void> make_empty_folder(const std::string& path) {
    if (mkdir(path.c_str(), 0700) == 0) {
        return {};
    }
    if (errno != EEXIST) {
        return io_failure(path, errno);
    }
    Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.valid()) {
        return io_failure(path, errno);
    }
    const Answer entries = entries_of(std::move(folder));
    if (entries.missing || !entries.text.empty()) {
        return fail(ErrorCode::invalid_input, path + ": exists and is not empty");
    }
    return {};
}

}  // namespace whygpu
