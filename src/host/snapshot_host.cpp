#include <set>
#include <string_view>

#include "base/text.h"
#include "host/files.h"
#include "host/snapshot.h"

// How a recorded machine answers what was not asked when it was recorded. Only what follows from the
// record is concluded: a name that a complete listing does not hold is not there.

namespace whygpu {

namespace {

using Names = std::set<std::string, std::less<>>;

bool asks_for_path(QueryKind kind) {
    return kind == QueryKind::file || kind == QueryKind::directory || kind == QueryKind::link ||
           kind == QueryKind::status;
}

/// Whether `path` is `prefix` or lies below it.
bool is_at_or_below(std::string_view path, std::string_view prefix) {
    while (prefix.size() > 1 && prefix.ends_with('/')) {
        prefix.remove_suffix(1);
    }
    const std::optional<std::string_view> rest = after_prefix(path, prefix);
    return rest && (rest->empty() || rest->starts_with('/') || prefix.ends_with('/'));
}

class SnapshotHost : public Host {
public:
    explicit SnapshotHost(Snapshot snapshot) : snapshot_(std::move(snapshot)) {
        for (const auto& [query, answer] : snapshot_.records) {
            const bool complete = !answer.missing && !answer.truncated;
            if (query.kind == QueryKind::directory && complete) {
                const std::vector<std::string_view> names = lines_of(answer.text);
                listings_.emplace(query.argument, Names(names.begin(), names.end()));
            }
        }
    }

    Answer answer(const Query& query) override {
        const auto found = snapshot_.records.find(query);
        if (found != snapshot_.records.end()) {
            return found->second;
        }
        if (asks_for_path(query.kind) && is_known_absent(query.argument)) {
            return missing_answer(Missing::absent, "No such file or directory");
        }
        return missing_answer(Missing::not_asked, "not recorded in this snapshot");
    }

private:
    bool is_known_absent(std::string_view path) const {
        for (const std::string& prefix : snapshot_.absent_prefixes) {
            if (is_at_or_below(path, prefix)) {
                return true;
            }
        }
        // From the root down: is each part of the path listed in the directory above it?
        for (std::size_t slash = 0; slash < path.size();) {
            const std::size_t end = std::min(path.find('/', slash + 1), path.size());
            const std::string_view parent = slash == 0 ? "/" : path.substr(0, slash);
            const std::string_view name = path.substr(slash + 1, end - slash - 1);
            if (name == ".." || is_missing_from(parent, name)) {
                return name != "..";
            }
            slash = end;
        }
        return false;
    }

    bool is_missing_from(std::string_view parent, std::string_view name) const {
        const auto listing = listings_.find(parent);
        if (listing != listings_.end()) {
            return !name.empty() && name != "." && !listing->second.contains(name);
        }
        const auto directory = snapshot_.records.find(Query{QueryKind::directory, std::string(parent)});
        return directory != snapshot_.records.end() && directory->second.missing == Missing::absent;
    }

    const Snapshot snapshot_;
    std::map<std::string, Names, std::less<>> listings_;
};

}  // namespace

std::unique_ptr<Host> make_snapshot_host(Snapshot snapshot) {
    return std::make_unique<SnapshotHost>(std::move(snapshot));
}

}  // namespace whygpu
