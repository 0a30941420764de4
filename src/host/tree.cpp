#include "host/tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "host/descriptor.h"
#include "host/files.h"

// Why paths are walked here and not by the kernel: openat2 with RESOLVE_IN_ROOT does the same, but
// is refused in many containers (seccomp) and missing before Linux 5.6, so that the walk would be
// needed anyway and be the path that is tested least. The walk holds an open descriptor for every
// level, follows no link itself and goes up by dropping a descriptor: whoever swaps files meanwhile
// cannot lead it out of the root.

namespace whygpu {

namespace {

constexpr int links_limit = 40;           // as the kernel has it
constexpr std::size_t parts_limit = 256;  // each level of the walk is an open descriptor

/// The last part of a path, seen from the directory that holds it.
struct Place {
    Descriptor parent;
    std::string name;  ///< "." for the root itself; never a link when links were followed
    int error = 0;     ///< errno when the path leads nowhere
};

Place nowhere(int error) {
    return Place{Descriptor(), "", error};
}

class Walk {
public:
    Walk(const Descriptor& root, std::string_view path, bool follow_last)
        : root_(root), follow_last_(follow_last) {
        put_in_front(path);
    }

    Place end() {
        while (error_ == 0 && !parts_.empty()) {
            const std::string part = std::move(parts_.front());
            parts_.pop_front();
            if (part == "..") {
                go_up();
            } else if (parts_.empty() && !is_followed_link(part)) {
                return error_ == 0 ? Place{duplicate(), part, 0} : nowhere(error_);
            } else if (!is_followed_link(part)) {
                go_down(part);
            } else {
                follow(part);
            }
        }
        return error_ == 0 ? Place{duplicate(), ".", 0} : nowhere(error_);
    }

private:
    int here() const { return levels_.empty() ? root_.get() : levels_.back().get(); }

    Descriptor duplicate() const { return Descriptor(fcntl(here(), F_DUPFD_CLOEXEC, 0)); }

    void put_in_front(std::string_view path) {
        std::vector<std::string> parts;
        for (std::string_view part : split(path, '/')) {
            if (!part.empty() && part != ".") {
                parts.emplace_back(part);
            }
        }
        parts_.insert(parts_.begin(), parts.begin(), parts.end());
        if (parts_.size() > parts_limit) {
            error_ = ENAMETOOLONG;
        }
    }

    void go_up() {
        if (!levels_.empty()) {
            levels_.pop_back();
        }
    }

    void go_down(const std::string& part) {
        constexpr int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        Descriptor level(openat(here(), part.c_str(), flags));
        if (!level.valid()) {
            error_ = errno;
            return;
        }
        levels_.push_back(std::move(level));
    }

    bool is_followed_link(const std::string& part) const {
        struct stat status{};
        const bool is_link =
            fstatat(here(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
        return is_link && (follow_last_ || !parts_.empty());
    }

    void follow(const std::string& part) {
        std::array<char, PATH_MAX> target;
        const ssize_t size = readlinkat(here(), part.c_str(), target.data(), target.size());
        if (size < 0 || ++links_ > links_limit) {
            error_ = size < 0 ? errno : ELOOP;
            return;
        }
        const std::string_view text(target.data(), static_cast<std::size_t>(size));
        if (text.starts_with('/')) {
            levels_.clear();
        }
        put_in_front(text);
    }

    const Descriptor& root_;
    const bool follow_last_;
    std::deque<std::string> parts_;
    std::vector<Descriptor> levels_;
    int links_ = 0;
    int error_ = 0;
};

class TreeHost : public Host {
public:
    explicit TreeHost(Descriptor root) : root_(std::move(root)) {}

    Answer answer(const Query& query) override {
        const bool asks_path = query.kind == QueryKind::file || query.kind == QueryKind::directory ||
                               query.kind == QueryKind::link || query.kind == QueryKind::status;
        if (!asks_path) {
            return missing_answer(Missing::not_asked, "an unpacked tree runs nothing");
        }
        if (std::optional<Answer> refused = refused_path(query.argument)) {
            return *refused;
        }
        const Answer answer = answer_at(place_of(query.argument, query.kind != QueryKind::link), query.kind);
        if (query.kind == QueryKind::status && answer.missing == Missing::absent) {
            return answer_at(place_of(query.argument, false), query.kind);  // a link without target
        }
        return answer;
    }

private:
    Place place_of(const std::string& path, bool follow_last) const {
        return Walk(root_, path, follow_last).end();
    }

    static Answer answer_at(const Place& place, QueryKind kind) {
        struct stat status{};
        if (place.error != 0) {
            return answer_for_errno(place.error);
        }
        if (fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            return answer_for_errno(errno);
        }
        switch (kind) {
            case QueryKind::file:
                return file_at(place, status);
            case QueryKind::directory:
                return directory_at(place);
            case QueryKind::link:
                return link_at(place);
            default:
                return status_at(place, status);
        }
    }

    static Answer file_at(const Place& place, const struct stat& status) {
        if (std::optional<Answer> refused = refused_kind(status)) {
            return *refused;
        }
        constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
        const Descriptor file(openat(place.parent.get(), place.name.c_str(), flags));
        return file.valid() ? content_of(file) : answer_for_errno(errno);
    }

    static Answer directory_at(const Place& place) {
        constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        Descriptor directory(openat(place.parent.get(), place.name.c_str(), flags));
        return directory.valid() ? entries_of(std::move(directory)) : answer_for_errno(errno);
    }

    static Answer link_at(const Place& place) {
        std::array<char, PATH_MAX> target;
        const ssize_t size = readlinkat(place.parent.get(), place.name.c_str(), target.data(), target.size());
        if (size < 0) {
            return errno == EINVAL ? missing_answer(Missing::unsupported, "not a symbolic link")
                                   : answer_for_errno(errno);
        }
        Answer answer;
        answer.text.assign(target.data(), static_cast<std::size_t>(size));
        return answer;
    }

    static Answer status_at(const Place& place, const struct stat& status) {
        constexpr int flags = AT_EACCESS | AT_SYMLINK_NOFOLLOW;
        Answer answer;
        answer.text = status_text(status, faccessat(place.parent.get(), place.name.c_str(), R_OK, flags) == 0,
                                  faccessat(place.parent.get(), place.name.c_str(), W_OK, flags) == 0);
        return answer;
    }

    const Descriptor root_;
};

}  // namespace

Result<std::unique_ptr<Host>> make_tree_host(const std::string& directory) {
    Descriptor root(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root.valid()) {
        const int error = errno;
        const ErrorCode code = error == ENOENT || error == ENOTDIR ? ErrorCode::not_found : ErrorCode::io;
        return fail(code, directory + ": " + std::generic_category().message(error));
    }
    return std::make_unique<TreeHost>(std::move(root));
}

}  // namespace whygpu
