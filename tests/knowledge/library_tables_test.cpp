// The tables of error codes, frameworks and containers against each other and against those of
// consistency_test.cpp.

#include <gmock/gmock.h>

#include <set>

#include "base/text.h"
#include "drivers/names.h"
#include "knowledge/amd.h"
#include "knowledge/cuda.h"
#include "knowledge/cudnn.h"
#include "knowledge/gpu_code.h"
#include "knowledge/rows.h"
#include "tables_of_tests.h"

namespace whygpu {
namespace {

std::vector<Table::Row> rows_of(const std::string& name) {
    const Table& table = embedded_knowledge().table(name);
    std::vector<Table::Row> rows;
    for (std::size_t index = 0; index < table.size(); ++index) {
        rows.push_back(table.row(index));
    }
    return rows;
}

bool is_toolkit(const Version& version) {
    for (const Table::Row& row : rows_of("cuda_toolkits")) {
        if (version_in(row, "version") && major_minor(*version_in(row, "version")) == major_minor(version)) {
            return true;
        }
    }
    return false;
}

// The compiler row in force for a toolkit: the last one that is not newer.
std::optional<Table::Row> nvcc_row(const Version& toolkit) {
    std::optional<Table::Row> found;
    for (const Table::Row& row : rows_of("nvcc_archs")) {
        if (version_in(row, "toolkit").value() <= toolkit) {
            found = row;
        }
    }
    return found;
}

// The number in front of other words: ">=12.1, <13" gives 12.1.
std::optional<Version> least_in(const Table::Row& row, std::string_view column) {
    const std::string_view text = row.cell(column).value_or("");
    return Version::parse_prefix(after_prefix(text, ">=").value_or(text));
}

TEST(ErrorTables, NamesAreUnique) {
    std::set<std::string> names;
    for (const Table::Row& row : rows_of("cuda_errors")) {
        ASSERT_TRUE(row.cell("name") || row.cell("runtime_name")) << row.text("code");
        for (const char* column : {"name", "runtime_name"}) {
            EXPECT_TRUE(!row.cell(column) || names.insert(row.text(column)).second) << row.text(column);
        }
    }
    for (const Table::Row& row : rows_of("nvml_codes")) {
        EXPECT_TRUE(names.insert(row.text("name")).second) << row.text("name");
    }
    std::set<std::string> of_cudnn8;
    for (const Table::Row& row : rows_of("library_codes")) {
        // cuDNN 9 kept names of cuDNN 8 and gave them other numbers.
        std::set<std::string>& known = row.text("library") == "cudnn8" ? of_cudnn8 : names;
        EXPECT_TRUE(known.insert(row.text("name")).second) << row.text("name");
    }
}

TEST(ErrorTables, EveryCodeSaysWhatItMeans) {
    for (const char* name : {"cuda_errors", "nvml_codes", "library_codes"}) {
        for (const Table::Row& row : rows_of(name)) {
            EXPECT_TRUE(parse_int(row.cell("code").value_or(""))) << name << " " << row.text("code");
            EXPECT_TRUE(row.cell("meaning")) << name << " " << row.text("code");
            EXPECT_TRUE(row.cell("causes_confidence") || !row.cell("causes")) << row.text("code");
        }
    }
}

TEST(ErrorTables, NumbersOfOtherTablesExist) {
    const Table& errors = embedded_knowledge().table("cuda_errors");
    for (const Table::Row& row : rows_of("cuda_errors_before_10_1")) {
        const std::optional<Table::Row> now = find_row(errors, "code", row.text("code"));
        ASSERT_TRUE(now) << row.text("old_code");
        EXPECT_EQ(now->text("runtime_name"), row.text("name")) << row.text("old_code");
    }
    for (const Table::Row& row : rows_of("cuda_error_texts")) {
        for (const std::string& code : row.items("codes")) {
            EXPECT_TRUE(find_row(errors, "code", code)) << row.text("text");
        }
    }
    for (const Table::Row& row : rows_of("nvidia_smi_texts")) {
        EXPECT_TRUE(!row.cell("nvml_code") ||
                    find_row(embedded_knowledge().table("nvml_codes"), "code", row.text("nvml_code")))
            << row.text("text");
    }
    for (const Table::Row& row : rows_of("library_codes")) {
        if (const std::optional<std::string_view> code = row.cell("cudnn9_code")) {
            bool same_name = false;
            for (const Table::Row& other : rows_of("library_codes")) {
                same_name = same_name || (other.text("library") == "cudnn9" && other.cell("code") == code);
            }
            EXPECT_TRUE(same_name) << row.text("name");
        }
    }
}

// The children name codes without the tables: from a list of their own.
TEST(ErrorTables, DriverChildrenUseTheSameNames) {
    for (const Table::Row& row : rows_of("nvml_codes")) {
        EXPECT_EQ(nvml_code_name(int_in(row, "code").value()), row.text("name"));
    }
    int named = 0;
    for (const Table::Row& row : rows_of("cuda_errors")) {
        const std::string_view name = cuda_code_name(int_in(row, "code").value());
        EXPECT_TRUE(name.empty() || name == row.text("name")) << name << " or " << row.text("name");
        named += name.empty() ? 0 : 1;
    }
    EXPECT_GE(named, 60);
}

TEST(XidTables, SwitchCodesLieInTheirUnits) {
    int end = 0;
    for (const Table::Row& unit : rows_of("sxid_units")) {
        EXPECT_GT(int_in(unit, "from").value(), end);
        end = int_in(unit, "to").value();
    }
    for (const Table::Row& row : rows_of("sxid")) {
        int units = 0;
        for (const Table::Row& unit : rows_of("sxid_units")) {
            const int code = int_in(row, "code").value();
            units += code >= int_in(unit, "from").value() && code <= int_in(unit, "to").value() ? 1 : 0;
        }
        EXPECT_EQ(units, 1) << row.text("code");
    }
    for (const Table::Row& row : rows_of("xid_old_meanings")) {
        EXPECT_TRUE(find_row(embedded_knowledge().table("xid"), "code", row.text("code")));
    }
}

TEST(CudnnTables, EveryWheelsCudnnServesItsCuda) {
    for (const Table::Row& row : rows_of("torch_variants")) {
        const std::optional<Version> cudnn = version_in(row, "cudnn");
        const std::optional<Version> cuda = version_in(row, "cuda");
        if (cudnn && cuda) {
            // Unknown is allowed, a contradiction is not.
            EXPECT_NE(cudnn_serves_cuda(embedded_knowledge(), *cudnn, *cuda), false)
                << row.text("series") << " " << row.text("tag");
        }
    }
}

TEST(CudnnTables, SonamesBelongToLibraries) {
    for (const Table::Row& row : rows_of("cudnn_versions")) {
        const int major = Version::parse_prefix(row.text("cudnn")).value().major();
        EXPECT_EQ(row.text("soname"), "libcudnn.so." + std::to_string(major));
        EXPECT_EQ(cudnn_libraries(embedded_knowledge(), major).front(), row.text("soname"));
    }
}

TEST(JaxTables, BuildsFitToolkitsAndDrivers) {
    std::string before;
    for (const Table::Row& row : rows_of("jax_releases")) {
        EXPECT_TRUE(version_in(row, "version")) << row.text("version");
        EXPECT_GE(row.text("released").substr(0, 7), before) << row.text("version");
        before = row.text("released").substr(0, 7);
        for (const std::string major : {"11", "12", "13"}) {
            const std::optional<Version> least = least_in(row, "cuda" + major + "_min");
            if (!least) {
                continue;
            }
            EXPECT_EQ(std::to_string(least->major()), major) << row.text("version");
            EXPECT_TRUE(is_toolkit(*least)) << row.text("version");
            const std::optional<Version> driver = version_in(row, "cuda" + major + "_driver");
            const std::optional<Version> oldest =
                minor_compatibility_minimum(embedded_knowledge(), least->major());
            if (driver && oldest) {
                // JAX names some drivers by their branch only: "525", "580".
                EXPECT_GE(driver->major(), oldest->major())
                    << row.text("version") << ": no such driver runs CUDA " << major;
            }
        }
    }
}

TEST(JaxTables, CodeIsKnownToTheCompiler) {
    for (const Table::Row& row : rows_of("jax_releases")) {
        for (const std::string major : {"12", "13"}) {
            const std::optional<Version> least = least_in(row, "cuda" + major + "_min");
            for (const std::string& target : row.items("code_cuda" + major)) {
                const Version capability = capability_of_target(target);
                ASSERT_GT(capability, Version()) << target;
                ASSERT_TRUE(least) << row.text("version");
                // The toolkit that built it is at least the oldest one that it runs with.
                EXPECT_GE(capability, version_in(*nvcc_row(*least), "min_cc").value())
                    << row.text("version") << " " << target;
            }
        }
    }
}

TEST(RocmTables, TargetsExist) {
    for (const Table::Row& row : rows_of("rocm_releases")) {
        for (const char* column : {"gfx", "gfx_deprecated"}) {
            for (const std::string& gfx : row.items(column)) {
                EXPECT_TRUE(gfx == "none" || gfx_support(embedded_knowledge(), gfx))
                    << row.text("rocm") << " " << gfx;
            }
        }
    }
}

TEST(TensorFlowTables, CudaExistsAndCapabilitiesAreKnown) {
    for (const Table::Row& row : rows_of("tensorflow_linux")) {
        const std::optional<Version> cuda = version_in(row, "cuda");
        if (!cuda || cuda->major() < 8) {
            continue;
        }
        EXPECT_TRUE(is_toolkit(*cuda)) << row.text("version");
        for (const std::string& target : row.items("sm")) {
            const Version capability = capability_of_target(target);
            EXPECT_GE(capability, version_in(*nvcc_row(*cuda), "min_cc").value()) << row.text("version");
            EXPECT_LE(capability, version_in(*nvcc_row(*cuda), "max_cc").value()) << row.text("version");
        }
    }
}

TEST(CudaTables, ArchitecturesAgreeWithChips) {
    for (const Table::Row& row : rows_of("cuda_architectures")) {
        const std::string capability = row.text("capability");
        const bool family = capability.ends_with(".x");
        for (const Table::Row& chip : rows_of("nvidia_chips")) {
            const std::optional<Version> own = version_in(chip, "compute_capability");
            const bool same = own && (family ? std::to_string(own->major()) + ".x" == capability
                                             : own->text() == capability);
            if (!same || chip.text("kind") == "tegra") {
                continue;
            }
            if (row.cell("last_toolkit")) {
                EXPECT_EQ(row.cell("last_toolkit"), chip.cell("last_cuda"))
                    << capability << " " << chip.text("chip");
            }
            if (row.cell("last_driver_branch")) {
                EXPECT_EQ(row.cell("last_driver_branch"), chip.cell("last_driver_branch"))
                    << capability << " " << chip.text("chip");
            }
        }
    }
}

TEST(CudaTables, BranchesServeWhatTheirMinimumsSay) {
    for (const Table::Row& row : rows_of("driver_branches")) {
        const Version newest = version_in(row, "smi_cuda").value();
        const std::optional<Version> needed = minimum_driver(embedded_knowledge(), newest);
        if (needed) {
            EXPECT_GE(int_in(row, "branch").value(), needed->major()) << row.text("branch");
        }
    }
}

TEST(ContainerTables, MinimumsAreVersions) {
    for (const Table::Row& row : rows_of("container_minimums")) {
        EXPECT_TRUE(version_in(row, "version")) << row.text("component");
    }
    for (const Table::Row& row : rows_of("containers")) {
        EXPECT_TRUE(row.cell("meaning") && row.cell("signs")) << row.text("id");
    }
}

}  // namespace
}  // namespace whygpu
