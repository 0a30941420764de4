#include "host/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/text.h"

namespace whygpu {

namespace {

constexpr std::size_t entries_limit = 20000;

std::string_view type_name(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFREG:
            return "file";
        case S_IFDIR:
            return "directory";
        case S_IFCHR:
            return "char";
        case S_IFBLK:
            return "block";
        case S_IFLNK:
            return "link";
        case S_IFSOCK:
            return "socket";
        case S_IFIFO:
            return "fifo";
        default:
            return "unknown";
    }
}

std::string four_octal_digits(mode_t mode) {
    std::string digits;
    for (int shift = 9; shift >= 0; shift -= 3) {
        digits += static_cast<char>('0' + ((mode >> shift) & 7));
    }
    return digits;
}

}  // namespace

Answer missing_answer(Missing why, std::string because) {
    Answer answer;
    answer.missing = why;
    answer.because = std::move(because);
    return answer;
}

Answer answer_for_errno(int error) {
    const std::string because = std::generic_category().message(error);
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            return missing_answer(Missing::absent, because);
        case EACCES:
        case EPERM:
            return missing_answer(Missing::denied, because);
        // What sysfs attributes of a driver answer when the device has no such thing.
        case ENODEV:
        case EINVAL:
        case ENXIO:
        case EOPNOTSUPP:
        case ENOSYS:
            return missing_answer(Missing::unsupported, because);
        case ETIMEDOUT:
            return missing_answer(Missing::timed_out, because);
        default:
            return missing_answer(Missing::malformed, because);
    }
}

std::optional<Answer> refused_path(const std::string& path) {
    if (!path.starts_with('/') || path.size() >= PATH_MAX || contains(path, std::string_view("\0", 1))) {
        return missing_answer(Missing::malformed, "no absolute path");
    }
    return std::nullopt;
}

std::optional<Answer> refused_kind(const struct stat& status) {
    if (S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return missing_answer(Missing::unsupported,
                          "not a regular file but a " + std::string(type_name(status.st_mode)));
}

Answer content_of(const Descriptor& file) {
    struct stat status{};
    if (fstat(file.get(), &status) != 0) {
        return answer_for_errno(errno);
    }
    if (std::optional<Answer> refused = refused_kind(status)) {
        return *refused;
    }
    ReadBytes bytes = read_to_end(file, answer_limit_bytes);
    Answer answer = bytes.error != 0 ? answer_for_errno(bytes.error) : Answer{};
    answer.text = std::move(bytes.text);
    answer.truncated = bytes.truncated;
    return answer;
}

Answer entries_of(Descriptor directory) {
    DIR* const raw = fdopendir(directory.get());
    if (raw == nullptr) {
        return answer_for_errno(errno);
    }
    directory.release();
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(raw, closedir);
    Answer answer;
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(stream.get())) {
        std::string name = entry->d_name;
        if (name == "." || name == "..") {
            continue;
        }
        if (names.size() == entries_limit) {
            answer.truncated = true;
            break;
        }
        std::ranges::replace(name, '\n', '?');  // an answer has a name a line
        names.push_back(std::move(name));
    }
    if (errno != 0 && names.empty()) {
        return answer_for_errno(errno);
    }
    std::ranges::sort(names);
    for (const std::string& name : names) {
        answer.text += name + "\n";
    }
    return answer;
}

std::string status_text(const struct stat& status, bool readable, bool writable) {
    const bool is_device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
    const std::string access = std::string(readable ? "r" : "") + (writable ? "w" : "");
    return "type=" + std::string(type_name(status.st_mode)) + " mode=" + four_octal_digits(status.st_mode) +
           " uid=" + std::to_string(status.st_uid) + " gid=" + std::to_string(status.st_gid) +
           " major=" + std::to_string(is_device ? major(status.st_rdev) : 0) +
           " minor=" + std::to_string(is_device ? minor(status.st_rdev) : 0) +
           " access=" + (access.empty() ? "none" : access);
}

}  // namespace whygpu
