#include "host/snapshot.h"

#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "host/archive.h"
#include "host/new_file.h"

namespace whygpu {

namespace {

constexpr std::string_view schema = "whygpu.snapshot/1";
constexpr std::string_view meta_name = "meta.json";
constexpr std::string_view answers_name = "machine.answers";

std::string meta_text(const SnapshotMeta& meta) {
    Json json = Json::object();
    json.set("schema", schema);
    json.set("whygpu", meta.whygpu_version);
    json.set("recorded", meta.recorded);
    json.set("redacted", meta.redacted);
    return to_text(json, 2) + "\n";
}

Result<SnapshotMeta> parse_meta(std::string_view text) {
    const Result<Json> json = parse_json(text);
    if (!json) {
        return tl::unexpected<Error>(json.error());
    }
    if (json->text("schema") != schema) {
        return fail(ErrorCode::unsupported, "the schema is not " + std::string(schema));
    }
    const Json* redacted = json->find("redacted");
    const bool* flag = redacted == nullptr ? nullptr : redacted->as_bool();
    return SnapshotMeta{json->text("whygpu"), json->text("recorded"), flag != nullptr && *flag};
}

bool is_directory(const std::string& path) {
    struct stat status{};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// Takes the answers of one member in; those that are there already win.
Result<void> add_answers(const Member& member, Snapshot& snapshot) {
    Result<RecordedAnswers> answers = parse_answers(member.bytes);
    if (!answers) {
        return fail(answers.error(), member.name);
    }
    snapshot.records.merge(answers->records);
    for (std::string& prefix : answers->absent_prefixes) {
        snapshot.absent_prefixes.push_back(std::move(prefix));
    }
    return {};
}

Result<Snapshot> snapshot_from(const std::vector<Member>& members) {
    Snapshot snapshot;
    bool has_meta = false;
    // Members of an archive stand in any order, the rule is the order of their names.
    std::map<std::string_view, const Member*> answers;
    for (const Member& member : members) {
        if (member.name.ends_with(".answers")) {
            answers.emplace(member.name, &member);
        }
        if (member.name != meta_name) {
            continue;
        }
        Result<SnapshotMeta> meta = parse_meta(member.bytes);
        if (!meta) {
            return fail(meta.error(), meta_name);
        }
        snapshot.meta = *meta;
        has_meta = true;
    }
    if (!has_meta || answers.empty()) {
        return fail(ErrorCode::invalid_input, "no snapshot: meta.json or *.answers is missing");
    }
    for (const auto& [name, member] : answers) {
        if (Result<void> added = add_answers(*member, snapshot); !added) {
            return tl::unexpected<Error>(added.error());
        }
    }
    return snapshot;
}

std::vector<Member> members_of(const SnapshotMeta& meta, const Records& records) {
    return {Member{std::string(meta_name), meta_text(meta)},
            Member{std::string(answers_name), format_answers(records)}};
}

}  // namespace

Result<Snapshot> read_snapshot(const std::string& path) {
    const Result<std::vector<Member>> members = is_directory(path) ? read_folder(path) : read_archive(path);
    if (!members) {
        return fail(members.error(), path);
    }
    Result<Snapshot> snapshot = snapshot_from(*members);
    if (!snapshot) {
        return fail(snapshot.error(), path);
    }
    return snapshot;
}

Result<Snapshot> read_snapshot_bytes(std::string_view bytes) {
    const Result<std::vector<Member>> members = read_archive_bytes(bytes);
    if (!members) {
        return tl::unexpected<Error>(members.error());
    }
    return snapshot_from(*members);
}

Result<std::unique_ptr<Host>> open_snapshot(const std::string& path) {
    Result<Snapshot> snapshot = read_snapshot(path);
    if (!snapshot) {
        return tl::unexpected<Error>(snapshot.error());
    }
    return make_snapshot_host(std::move(*snapshot));
}

Result<void> write_snapshot_file(const std::string& path, const SnapshotMeta& meta, const Records& records) {
    const Result<std::string> bytes = make_archive(members_of(meta, records));
    if (!bytes) {
        return fail(bytes.error(), path);
    }
    return write_private_file(path, *bytes);
}

Result<void> write_snapshot_folder(const std::string& path, const SnapshotMeta& meta,
                                   const Records& records) {
    if (Result<void> made = make_empty_folder(path); !made) {
        return made;
    }
    for (const Member& member : members_of(meta, records)) {
        if (Result<void> written = write_private_file(path + "/" + member.name, member.bytes); !written) {
            return written;
        }
    }
    return {};
}

}  // namespace whygpu
