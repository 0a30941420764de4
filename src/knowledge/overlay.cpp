#include "knowledge/overlay.h"

#include <algorithm>
#include <set>

#include "base/table.h"
#include "base/text.h"

namespace whygpu {

namespace {

std::string line_of(const Table::Row& row, const std::vector<std::string>& columns) {
    std::vector<std::string> cells;
    for (const std::string& column : columns) {
        cells.emplace_back(row.cell(column).value_or("-"));
    }
    return join(cells, "\t");
}

void append_rows(std::string& out, const Table& rows, const std::vector<std::string>& columns,
                 const std::vector<std::string>& keys, const std::set<std::string>& replaced) {
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const Table::Row row = rows.row(index);
        if (!replaced.contains(line_of(row, keys))) {
            out += line_of(row, columns) + "\n";
        }
    }
}

Result<void> check_columns(const Table& table, const Table& changes, const std::vector<std::string>& keys) {
    const std::vector<std::string>& known = table.columns();
    for (const std::string& column : changes.columns()) {
        if (std::find(known.begin(), known.end(), column) == known.end()) {
            return fail(ErrorCode::invalid_input, "there is no column \"" + column + "\"");
        }
    }
    for (const std::string& key : keys) {
        for (std::size_t index = 0; index < changes.size(); ++index) {
            if (!changes.row(index).cell(key)) {
                return fail(ErrorCode::invalid_input, "a row has nothing under \"" + key + "\"");
            }
        }
    }
    return {};
}

}  // namespace

std::vector<std::string> key_columns(std::string_view text) {
    std::vector<std::string> keys;
    for (const std::string_view line : lines_of(text)) {
        if (!line.starts_with('#')) {
            break;
        }
        for (const std::string_view word : words_of(after_prefix(line, "# key:").value_or(""))) {
            keys.emplace_back(word);
        }
    }
    return keys;
}

Result<std::string> overlaid(std::string_view table, std::string_view changes) {
    const Result<Table> below = Table::parse(table);
    if (!below) {
        return fail(below.error(), "the table below");
    }
    const Result<Table> above = Table::parse(changes);
    if (!above) {
        return tl::unexpected<Error>(above.error());
    }
    const std::vector<std::string> keys = key_columns(table);
    if (const Result<void> checked = check_columns(*below, *above, keys); !checked) {
        return tl::unexpected<Error>(checked.error());
    }
    std::set<std::string> replaced;
    for (std::size_t index = 0; index < above->size() && !keys.empty(); ++index) {
        replaced.insert(line_of(above->row(index), keys));
    }
    std::string out = join(below->columns(), "\t") + "\n";
    append_rows(out, *below, below->columns(), keys, replaced);
    append_rows(out, *above, below->columns(), keys, {});
    return out;
}

}  // namespace whygpu
