#include "knowledge/xid.h"

#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

XidMeaning meaning_in(const Table::Row& row, std::int64_t code) {
    XidMeaning meaning;
    meaning.code = code;
    meaning.name = row.text("name");
    meaning.meaning = row.text("meaning");
    meaning.action = row.text("action");
    meaning.confidence = row.text("confidence");
    meaning.source = row.text("source");
    return meaning;
}

std::optional<Table::Row> unit_of(const Knowledge& tables, std::int64_t code) {
    const Table& units = tables.table("sxid_units");
    for (std::size_t index = 0; index < units.size(); ++index) {
        const Table::Row row = units.row(index);
        const std::optional<int> from = int_in(row, "from");
        const std::optional<int> to = int_in(row, "to");
        if (from && to && code >= *from && code <= *to) {
            return row;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<XidMeaning> xid_meaning(const Knowledge& tables, std::int64_t code) {
    const std::optional<Table::Row> row = find_row(tables.table("xid"), "code", std::to_string(code));
    if (!row) {
        return std::nullopt;
    }
    XidMeaning meaning = meaning_in(*row, code);
    meaning.severity = row->text("severity");
    meaning.causes = row->items("causes");
    meaning.common = flag_in(*row, "common").value_or(false);
    return meaning;
}

std::optional<XidMeaning> sxid_meaning(const Knowledge& tables, std::int64_t code) {
    const std::optional<Table::Row> row = find_row(tables.table("sxid"), "code", std::to_string(code));
    const std::optional<Table::Row> unit = unit_of(tables, code);
    if (!row && !unit) {
        return std::nullopt;
    }
    XidMeaning meaning = meaning_in(row ? *row : *unit, code);
    meaning.severity = row ? row->text("class") : "";
    meaning.unit = unit ? unit->text("unit") : "";
    return meaning;
}

}  // namespace whygpu
