#include "base/table.h"

#include <algorithm>

#include "base/text.h"

namespace whygpu {

namespace {

std::vector<std::string> cells_of(std::string_view line) {
    std::vector<std::string> cells;
    for (const std::string_view cell : split(line, '\t')) {
        cells.emplace_back(trimmed(cell));
    }
    return cells;
}

bool has_duplicate(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
}

std::string at_line(std::size_t number, const std::string& what) {
    return "line " + std::to_string(number) + ": " + what;
}

}  // namespace

std::optional<std::string_view> Table::Row::cell(std::string_view column) const {
    const std::vector<std::string>& names = table_->columns_;
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end()) {
        return std::nullopt;
    }
    const std::size_t position = static_cast<std::size_t>(found - names.begin());
    const std::string& text = table_->cells_.at(index_)[position];
    if (text.empty() || text == "-") {
        return std::nullopt;
    }
    return text;
}

std::string Table::Row::text(std::string_view column) const {
    return std::string(cell(column).value_or(""));
}

std::vector<std::string> Table::Row::items(std::string_view column) const {
    std::vector<std::string> items;
    for (const std::string_view item : split(cell(column).value_or(""), ',')) {
        if (!trimmed(item).empty()) {
            items.emplace_back(trimmed(item));
        }
    }
    return items;
}

Result<Table> Table::parse(std::string_view text) {
    Table table;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(text)) {
        ++number;
        if (trimmed(line).empty() || line.starts_with('#')) {
            continue;
        }
        std::vector<std::string> cells = cells_of(line);
        if (table.columns_.empty()) {
            if (has_duplicate(cells)) {
                return fail(ErrorCode::invalid_input, at_line(number, "two columns have one name"));
            }
            table.columns_ = std::move(cells);
            continue;
        }
        if (cells.size() != table.columns_.size()) {
            return fail(ErrorCode::invalid_input,
                        at_line(number, std::to_string(cells.size()) + " cells where the header has " +
                                            std::to_string(table.columns_.size())));
        }
        table.cells_.push_back(std::move(cells));
    }
    if (table.columns_.empty()) {
        return fail(ErrorCode::invalid_input, "the table has no header line");
    }
    return table;
}

}  // namespace whygpu
