#include "knowledge/nvcc.h"

#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

std::optional<int> newest_gcc_for_nvcc(const Knowledge& tables, const Version& toolkit) {
    const Table& rows = tables.table("nvcc_host_compilers");
    std::optional<int> newest;
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const Table::Row row = rows.row(index);
        const std::optional<Version> from = version_in(row, "toolkit");
        if (from && *from <= major_minor(toolkit)) {
            newest = int_in(row, "max_gcc");
        }
    }
    return newest;
}

}  // namespace whygpu
