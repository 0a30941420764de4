#include "knowledge/rows.h"

#include <limits>

#include "base/text.h"

namespace whygpu {

std::optional<Table::Row> find_row(const Table& table, std::string_view column, std::string_view value) {
    for (std::size_t index = 0; index < table.size(); ++index) {
        if (table.row(index).cell(column) == value) {
            return table.row(index);
        }
    }
    return std::nullopt;
}

std::optional<Version> version_in(const Table::Row& row, std::string_view column) {
    return Version::parse(row.cell(column).value_or(""));
}

std::optional<int> int_in(const Table::Row& row, std::string_view column) {
    const std::optional<std::int64_t> number = parse_int(row.cell(column).value_or(""));
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max()) {
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

std::optional<double> double_in(const Table::Row& row, std::string_view column) {
    return parse_double(row.cell(column).value_or(""));
}

std::optional<bool> flag_in(const Table::Row& row, std::string_view column) {
    const std::string_view text = row.cell(column).value_or("");
    if (text == "yes") {
        return true;
    }
    return text == "no" ? std::optional(false) : std::nullopt;
}

bool disputed(const Table::Row& row, std::string_view column) {
    for (const std::string& item : row.items("disputed")) {
        if (split(item, '=').front() == column) {
            return true;
        }
    }
    return false;
}

Version major_minor(const Version& version) {
    return Version({version.major(), version.minor()});
}

}  // namespace whygpu
