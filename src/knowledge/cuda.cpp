#include "knowledge/cuda.h"

#include <string>

#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

// The oldest branch whose CUDA is at least the runtime: the answer where the exact driver of a toolkit
// was not published.
std::optional<Version> first_branch_serving(const Knowledge& tables, const Version& cuda_runtime) {
    const Table& branches = tables.table("driver_branches");
    for (std::size_t index = 0; index < branches.size(); ++index) {
        const Table::Row row = branches.row(index);
        const std::optional<Version> cuda = version_in(row, "smi_cuda");
        if (cuda && *cuda >= major_minor(cuda_runtime)) {
            return version_in(row, "branch");
        }
    }
    return std::nullopt;
}

std::optional<Version> newest_branch(const Knowledge& tables) {
    const Table& branches = tables.table("driver_branches");
    return branches.size() == 0 ? std::nullopt : version_in(branches.row(branches.size() - 1), "branch");
}

std::optional<Version> driver_for_full_service(const Knowledge& tables, const Version& cuda_runtime) {
    const std::optional<Version> driver = minimum_driver(tables, cuda_runtime);
    return driver ? driver : first_branch_serving(tables, cuda_runtime);
}

}  // namespace

std::optional<Version> cuda_served_by_driver(const Knowledge& tables, const Version& driver) {
    const Table& branches = tables.table("driver_branches");
    std::optional<Version> served;
    for (std::size_t index = 0; index < branches.size(); ++index) {
        const Table::Row row = branches.row(index);
        const std::optional<int> branch = int_in(row, "branch");
        if (branch && *branch <= driver.major()) {
            served = version_in(row, "smi_cuda");
        }
    }
    return served;
}

std::optional<Version> minimum_driver(const Knowledge& tables, const Version& cuda_runtime) {
    const Table& toolkits = tables.table("cuda_toolkits");
    std::optional<Version> first;
    for (std::size_t index = 0; index < toolkits.size(); ++index) {
        const Table::Row row = toolkits.row(index);
        const std::optional<Version> toolkit = version_in(row, "version");
        const std::optional<Version> driver = version_in(row, "driver_linux");
        if (!toolkit || !driver || major_minor(*toolkit) != major_minor(cuda_runtime)) {
            continue;
        }
        if (*toolkit == cuda_runtime) {
            return driver;
        }
        if (!first || *driver < *first) {
            first = driver;
        }
    }
    return first;
}

std::optional<Version> minor_compatibility_minimum(const Knowledge& tables, int cuda_major) {
    const std::optional<Table::Row> row =
        find_row(tables.table("cuda_families"), "major", std::to_string(cuda_major));
    return row ? version_in(*row, "driver_linux") : std::nullopt;
}

DriverFit driver_fit(const Knowledge& tables, const Version& driver, const Version& cuda_runtime) {
    using Kind = DriverFit::Kind;
    const std::optional<Version> served = cuda_served_by_driver(tables, driver);
    const std::optional<Version> own_driver = minimum_driver(tables, cuda_runtime);
    // What the driver says of itself counts: an update's own driver may be newer by a build only.
    const bool serves = served && *served >= major_minor(cuda_runtime);
    if (serves || (own_driver && driver >= *own_driver)) {
        return {Kind::full, {}};
    }
    const std::optional<Version> newest = newest_branch(tables);
    if (newest && driver.major() > newest->major()) {
        return {Kind::unknown, {}};
    }
    const std::optional<Version> least = minor_compatibility_minimum(tables, cuda_runtime.major());
    const std::optional<Version> full = driver_for_full_service(tables, cuda_runtime);
    if (least && driver >= *least) {
        return {Kind::minor_compatibility, full.value_or(Version())};
    }
    const std::optional<Version> needed = least ? least : full;
    return needed ? DriverFit{Kind::too_old, *needed} : DriverFit{Kind::unknown, {}};
}

}  // namespace whygpu
