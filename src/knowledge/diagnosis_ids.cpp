#include "knowledge/diagnosis_ids.h"

#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

bool is_diagnosis(const Knowledge& tables, std::string_view id) {
    return find_row(tables.table("diagnoses"), "id", id).has_value();
}

std::string meaning_of_diagnosis(const Knowledge& tables, std::string_view id) {
    const std::optional<Table::Row> row = find_row(tables.table("diagnoses"), "id", id);
    return row ? row->text("meaning") : "";
}

}  // namespace whygpu
