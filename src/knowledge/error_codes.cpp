#include "knowledge/error_codes.h"

#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

// Causes and checks are prose with commas in it, so they are parted by semicolons.
std::vector<std::string> phrases(const Table::Row& row, std::string_view column) {
    std::vector<std::string> phrases;
    for (std::string_view phrase : split(row.cell(column).value_or(""), ';')) {
        if (!trimmed(phrase).empty()) {
            phrases.emplace_back(trimmed(phrase));
        }
    }
    return phrases;
}

CodeMeaning meaning_in(const Table::Row& row, std::string_view library) {
    CodeMeaning meaning;
    meaning.library = library;
    meaning.code = parse_int(row.cell("code").value_or("")).value_or(0);
    meaning.runtime_name = row.text("runtime_name");
    meaning.name = row.cell("name") ? row.text("name") : meaning.runtime_name;
    meaning.message = row.text("message");
    meaning.meaning = row.text("meaning");
    meaning.causes = phrases(row, "causes");
    meaning.checks = phrases(row, "checks");
    meaning.sticky = flag_in(row, "sticky");
    meaning.causes_confidence = row.text("causes_confidence");
    meaning.confidence = row.text("confidence");
    meaning.source = row.text("source");
    return meaning;
}

struct CodeTable {
    std::string_view table;
    std::string_view library;  ///< empty: the rows say
};
constexpr CodeTable code_tables[] = {
    {"cuda_errors", "cuda"},
    {"nvml_codes", "nvml"},
    {"library_codes", ""},
};

}  // namespace

std::optional<CodeMeaning> code_meaning(const Knowledge& tables, std::string_view library,
                                        std::int64_t code) {
    const std::string wanted = std::to_string(code);
    for (const CodeTable& each : code_tables) {
        if (!each.library.empty() && each.library != library) {
            continue;
        }
        const Table& table = tables.table(each.table);
        for (std::size_t index = 0; index < table.size(); ++index) {
            const Table::Row row = table.row(index);
            const bool of_library = !each.library.empty() || row.cell("library") == library;
            if (of_library && row.cell("code") == wanted) {
                return meaning_in(row, library);
            }
        }
    }
    return std::nullopt;
}

std::optional<CodeMeaning> code_named(const Knowledge& tables, std::string_view name) {
    std::optional<CodeMeaning> found;
    for (const CodeTable& each : code_tables) {
        const Table& table = tables.table(each.table);
        for (std::size_t index = 0; index < table.size(); ++index) {
            const Table::Row row = table.row(index);
            if (row.cell("name") != name && row.cell("runtime_name") != name) {
                continue;
            }
            const std::string library =
                each.library.empty() ? row.text("library") : std::string(each.library);
            if (!found || library == "cudnn9") {
                found = meaning_in(row, library);
            }
        }
    }
    return found;
}

std::optional<std::int64_t> code_since_cuda_10_1(const Knowledge& tables, std::int64_t old_code) {
    const std::optional<Table::Row> row =
        find_row(tables.table("cuda_errors_before_10_1"), "old_code", std::to_string(old_code));
    return row ? parse_int(row->cell("code").value_or("")) : std::nullopt;
}

}  // namespace whygpu
