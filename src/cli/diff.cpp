#include <map>

#include "base/unicode.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "facts/access.h"

namespace whygpu {

namespace {

struct Change {
    std::string path;
    std::string before;  ///< empty: not in the first
    std::string after;   ///< empty: not in the second
};

// What was not recorded on one side says nothing about a change.
bool comparable(const std::string& value) {
    return !value.starts_with("(not_asked");
}

std::vector<Change> changes_between(const Facts& before, const Facts& after) {
    const std::map<std::string, std::string> left = flattened(before);
    const std::map<std::string, std::string> right = flattened(after);
    std::map<std::string, Change> changes;
    for (const auto& [path, value] : left) {
        const auto other = right.find(path);
        const std::string now = other == right.end() ? "" : other->second;
        if (now != value && comparable(value) && comparable(now)) {
            changes[path] = Change{path, value, now};
        }
    }
    for (const auto& [path, value] : right) {
        if (left.count(path) == 0 && comparable(value)) {
            changes[path] = Change{path, "", value};
        }
    }
    std::vector<Change> list;
    for (auto& [path, change] : changes) {
        list.push_back(std::move(change));
    }
    return list;
}

std::string as_text(const std::vector<Change>& changes, const Catalogue& words) {
    std::string out;
    for (const Change& change : changes) {
        out += change.path + "\n";
        out += change.before.empty() ? "" : "  - " + printable(change.before) + "\n";
        out += change.after.empty() ? "" : "  + " + printable(change.after) + "\n";
    }
    const char* key = changes.empty()       ? "diff.none"
                      : changes.size() == 1 ? "diff.differ_one"
                                            : "diff.differ_many";
    return out + words.text(key, {{"count", std::to_string(changes.size())}}) + "\n";
}

std::string as_json(const std::vector<Change>& changes) {
    Json list = Json::array();
    for (const Change& change : changes) {
        Json entry = Json::object();
        entry.set("fact", change.path);
        entry.set("before", change.before.empty() ? Json() : Json(change.before));
        entry.set("after", change.after.empty() ? Json() : Json(change.after));
        list.push(std::move(entry));
    }
    Json root = Json::object();
    root.set("schema", "whygpu.diff/1").set("changes", std::move(list));
    return to_text(root, 2) + "\n";
}

}  // namespace

int run_diff(const Arguments& arguments, const Session& session) {
    const Result<UnitLibrary> units = UnitLibrary::load();
    const Result<std::chrono::steady_clock::time_point> deadline = deadline_of(arguments, session);
    if (!units || !deadline) {
        complain(units ? deadline.error().message : units.error().message, session);
        return units ? exit_usage : exit_internal;
    }
    const Result<Facts> before = facts_of_snapshot(arguments.positionals[0], *units, *deadline);
    const Result<Facts> after = facts_of_snapshot(arguments.positionals[1], *units, *deadline);
    if (!before || !after) {
        complain(before ? after.error().message : before.error().message, session);
        return exit_blind;
    }
    const std::vector<Change> changes = changes_between(*before, *after);
    const bool json = arguments.value("--format") == "json";
    const std::string text = json ? as_json(changes) : as_text(changes, session.words);
    if (!write_output(text, arguments, session)) {
        return exit_blind;
    }
    return changes.empty() ? exit_ok : exit_findings;
}

}  // namespace whygpu
