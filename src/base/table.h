#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace whygpu {

/// A tab-separated table with a header line; lines starting with '#' and empty lines are comments.
/// A cell that is empty or "-" is null. The table keeps its text.
class Table {
public:
    class Row {
    public:
        Row(const Table& table, std::size_t index) : table_(&table), index_(index) {}
        /// The cell under a column name; nullopt when it is null or the column does not exist.
        std::optional<std::string_view> cell(std::string_view column) const;
        /// The cell, or "" when it is null.
        std::string text(std::string_view column) const;
        /// The comma-separated items of a cell; empty when it is null.
        std::vector<std::string> items(std::string_view column) const;

    private:
        const Table* table_;
        std::size_t index_;
    };

    /// Fails on a row with more or fewer cells than the header, with its line number.
    static Result<Table> parse(std::string_view text);

    std::size_t size() const { return cells_.size(); }
    Row row(std::size_t index) const { return Row(*this, index); }
    const std::vector<std::string>& columns() const { return columns_; }

private:
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> cells_;
};

}  // namespace whygpu
