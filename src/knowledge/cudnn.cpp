#include "knowledge/cudnn.h"

#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

// The first parts of a version, as many as the text of another has: 12.6.3 beside "12.0" is 12.6.
Version cut_like(const Version& version, std::string_view other) {
    std::vector<int> parts;
    for (std::size_t index = 0; index < split(other, '.').size(); ++index) {
        parts.push_back(version.part(index));
    }
    return Version(std::move(parts));
}

// "12.x", "12.0-12.6", "11.8", "10.1 U2".
bool covers(std::string_view item, const Version& version) {
    const std::string_view word = split(item, ' ').front();
    if (word.ends_with(".x")) {
        const std::string_view series = word.substr(0, word.size() - 2);
        return Version::parse(series) == cut_like(version, series);
    }
    const std::vector<std::string_view> ends = split(word, '-');
    const std::optional<Version> from = Version::parse(ends.front());
    const std::optional<Version> to = Version::parse(ends.back());
    return from && to && cut_like(version, ends.front()) >= *from && cut_like(version, ends.back()) <= *to;
}

// The row of a release: one that covers it by name, else a row "9.11 and newer" that is not too new.
std::optional<Table::Row> row_of(const Knowledge& tables, const Version& cudnn) {
    const Table& versions = tables.table("cudnn_versions");
    std::optional<Table::Row> open;
    for (std::size_t index = 0; index < versions.size(); ++index) {
        const Table::Row row = versions.row(index);
        const std::string name = row.text("cudnn");
        if (name.ends_with(" and newer")) {
            const std::optional<Version> from = Version::parse(split(name, ' ').front());
            open = from && cudnn >= *from && cudnn.major() == from->major() ? std::optional(row) : open;
        } else if (covers(name, cudnn)) {
            return row;
        }
    }
    return open;
}

}  // namespace

std::optional<bool> cudnn_serves_cuda(const Knowledge& tables, const Version& cudnn, const Version& cuda) {
    const std::optional<Table::Row> row = row_of(tables, cudnn);
    if (!row || row->items("cuda").empty()) {
        return std::nullopt;
    }
    for (const std::string& item : row->items("cuda")) {
        if (covers(item, cuda)) {
            return true;
        }
    }
    return false;
}

std::optional<bool> cudnn_serves_capability(const Knowledge& tables, const Version& cudnn,
                                            const Version& compute_capability) {
    const Table& limits = tables.table("cudnn_capabilities");
    std::optional<Version> least;
    for (std::size_t index = 0; index < limits.size(); ++index) {
        const Table::Row row = limits.row(index);
        const std::optional<Version> since = version_in(row, "cudnn");
        if (since && cudnn >= *since) {
            least = version_in(row, "min_cc");
        }
    }
    return least ? std::optional(compute_capability >= *least) : std::nullopt;
}

std::string cudnn_soname(const Knowledge& tables, int major) {
    const std::string wanted = "libcudnn.so." + std::to_string(major);
    return find_row(tables.table("cudnn_versions"), "soname", wanted) ? wanted : "";
}

std::vector<std::string> cudnn_libraries(const Knowledge& tables, int major) {
    const Table& table = tables.table("cudnn_libraries");
    std::vector<std::string> libraries;
    for (std::size_t index = 0; index < table.size(); ++index) {
        if (int_in(table.row(index), "major") == major) {
            const std::vector<std::string> more = table.row(index).items("libraries");
            libraries.insert(libraries.end(), more.begin(), more.end());
        }
    }
    return libraries;
}

}  // namespace whygpu
