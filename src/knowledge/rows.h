#pragma once

#include <optional>
#include <string_view>

#include "base/table.h"
#include "base/version.h"

namespace whygpu {

/// The first row whose cell under `column` is `value`.
std::optional<Table::Row> find_row(const Table& table, std::string_view column, std::string_view value);

/// A cell as a version, whole number, decimal number or yes/no; nullopt when it is null or no such.
std::optional<Version> version_in(const Table::Row& row, std::string_view column);
std::optional<int> int_in(const Table::Row& row, std::string_view column);
std::optional<double> double_in(const Table::Row& row, std::string_view column);
std::optional<bool> flag_in(const Table::Row& row, std::string_view column);

/// Whether the row's "disputed" cell ("tdp_w=250,bandwidth_gbs=90") names the column: sources differ,
/// and the value must not be given as advice.
bool disputed(const Table::Row& row, std::string_view column);

/// The first two parts: 12.6.3 → 12.6.
Version major_minor(const Version& version);

}  // namespace whygpu
