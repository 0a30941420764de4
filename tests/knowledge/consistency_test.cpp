// The tables against each other: a fact in one that another contradicts is a mistake in either.

#include <gmock/gmock.h>

#include <set>

#include "base/text.h"
#include "knowledge/cuda.h"
#include "knowledge/embedded.h"
#include "knowledge/gpu_code.h"
#include "knowledge/nvidia.h"
#include "knowledge/overlay.h"
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

void expect_within(const Version& capability, const Table::Row& nvcc, const std::string& what) {
    EXPECT_GE(capability, version_in(nvcc, "min_cc").value()) << what;
    if (const std::optional<Version> most = version_in(nvcc, "max_cc")) {
        EXPECT_LE(capability, *most) << what;
    }
}

TEST(Tables, EveryRowHasASourceThatIsExplained) {
    std::set<std::string> used;
    for (const std::string& name : embedded_knowledge().names()) {
        if (name == "sources" || name == "diagnoses") {
            continue;
        }
        for (const Table::Row& row : rows_of(name)) {
            const std::string confidence = row.text("confidence");
            EXPECT_TRUE(confidence == "primary" || confidence == "secondary" || confidence == "inferred" ||
                        confidence == "disputed")
                << name << ": " << confidence;
            EXPECT_FALSE(row.items("source").empty()) << name;
            for (const std::string& key : row.items("source")) {
                EXPECT_TRUE(find_row(embedded_knowledge().table("sources"), "key", key))
                    << name << ": " << key;
                used.insert(key);
            }
        }
    }
    EXPECT_EQ(used.size(), embedded_knowledge().table("sources").size()) << "a source that nobody uses";
}

TEST(Tables, KeysAreUnique) {
    for (const std::string& name : embedded_knowledge().names()) {
        const std::vector<std::string> keys = key_columns(embedded_table(name));
        ASSERT_FALSE(keys.empty()) << name;
        std::set<std::string> seen;
        for (const Table::Row& row : rows_of(name)) {
            std::string key;
            for (const std::string& column : keys) {
                ASSERT_TRUE(row.cell(column)) << name << ": null " << column;
                key += row.text(column) + "\t";
            }
            EXPECT_TRUE(seen.insert(key).second) << name << ": " << key << "twice";
        }
    }
}

TEST(Chips, CompilersKnowTheirCapabilities) {
    int checked = 0;
    for (const Table::Row& chip : rows_of("nvidia_chips")) {
        const std::optional<Version> capability = version_in(chip, "compute_capability");
        const std::optional<Version> first = version_in(chip, "first_cuda");
        if (!capability || !first) {
            continue;
        }
        ++checked;
        const Version oldest_row({8, 0});
        expect_within(*capability, nvcc_row(std::max(*first, oldest_row)).value(), chip.text("chip"));
        const std::optional<Version> last = version_in(chip, "last_cuda");
        expect_within(*capability, nvcc_row(last.value_or(Version({13, 4}))).value(), chip.text("chip"));
    }
    EXPECT_GE(checked, 60);
}

TEST(Chips, JetsonCapabilitiesAreThoseOfTheTegraRows) {
    std::set<Version> tegra;
    for (const Table::Row& chip : rows_of("nvidia_chips")) {
        const std::optional<Version> capability = version_in(chip, "compute_capability");
        if (capability) {
            EXPECT_EQ(is_jetson_capability(*capability), chip.text("kind") == "tegra") << chip.text("chip");
        }
    }
}

TEST(Chips, LastBranchesAndIdBlocksExist) {
    for (const Table::Row& chip : rows_of("nvidia_chips")) {
        if (chip.cell("last_driver_branch")) {
            EXPECT_TRUE(find_row(embedded_knowledge().table("driver_branches"), "branch",
                                 chip.text("last_driver_branch")))
                << chip.text("chip");
        }
    }
    std::uint64_t end = 0;
    for (const Table::Row& block : rows_of("nvidia_id_blocks")) {
        EXPECT_TRUE(chip_by_name(embedded_knowledge(), block.text("chip"))) << block.text("chip");
        EXPECT_GT(parse_hex(block.text("from")).value(), end);
        end = parse_hex(block.text("to")).value();
    }
}

TEST(Cards, AgreeWithTheirChips) {
    for (const Table::Row& card : rows_of("nvidia_cards")) {
        const std::optional<Chip> chip = chip_by_name(embedded_knowledge(), card.text("chip"));
        ASSERT_TRUE(chip) << card.text("name");
        EXPECT_EQ(version_in(card, "compute_capability"), chip->compute_capability) << card.text("name");
        EXPECT_EQ(flag_in(card, "bf16"), chip->bf16) << card.text("name");
    }
    for (const Table::Row& card : rows_of("amd_cards")) {
        EXPECT_TRUE(find_row(embedded_knowledge().table("amd_gfx"), "gfx", card.text("gfx")))
            << card.text("name");
    }
}

TEST(Drivers, BranchesAndTheirCudaAscend) {
    int branch = 0;
    Version cuda;
    for (const Table::Row& row : rows_of("driver_branches")) {
        EXPECT_GT(int_in(row, "branch").value(), branch);
        EXPECT_GE(version_in(row, "smi_cuda").value(), cuda);
        branch = int_in(row, "branch").value();
        cuda = version_in(row, "smi_cuda").value();
    }
}

TEST(Drivers, ToolkitsAndBranchesTellTheSame) {
    for (const Table::Row& toolkit : rows_of("cuda_toolkits")) {
        const std::optional<Version> driver = version_in(toolkit, "driver_linux");
        ASSERT_TRUE(version_in(toolkit, "version")) << toolkit.text("toolkit");
        if (driver) {
            EXPECT_EQ(cuda_served_by_driver(embedded_knowledge(), *driver),
                      major_minor(*version_in(toolkit, "version")))
                << toolkit.text("toolkit");
        }
    }
}

TEST(Torch, VariantsFitTheirCompiler) {
    for (const Table::Row& row : rows_of("torch_variants")) {
        const std::string what = row.text("series") + " " + row.text("tag");
        const Version cuda = version_in(row, "cuda").value();
        EXPECT_EQ(row.text("tag"), "cu" + std::to_string(cuda.major()) + std::to_string(cuda.minor()))
            << what;
        if (cuda.major() > 10) {
            EXPECT_TRUE(minor_compatibility_minimum(embedded_knowledge(), cuda.major())) << what;
        }
        EXPECT_TRUE(minimum_driver(embedded_knowledge(), cuda)) << what;
        for (const std::string platform : {"linux_x86_64", "linux_aarch64", "windows"}) {
            std::vector<std::string> targets = row.items("sm_" + platform);
            const std::vector<std::string> ptx = row.items("ptx_" + platform);
            targets.insert(targets.end(), ptx.begin(), ptx.end());
            for (const std::string& target : targets) {
                ASSERT_GT(capability_of_target(target), Version()) << what << ": " << target;
                expect_within(capability_of_target(target), nvcc_row(cuda).value(), what + ": " + target);
            }
        }
    }
}

TEST(Torch, EveryTagOfAReleaseHasAVariant) {
    for (const Table::Row& release : rows_of("torch_releases")) {
        const Version series = major_minor(version_in(release, "version").value());
        for (const std::string& tag : release.items("cuda_tags")) {
            bool found = false;
            for (const Table::Row& row : rows_of("torch_variants")) {
                found = found || (row.text("tag") == tag && version_in(row, "series") == series);
            }
            EXPECT_TRUE(found) << release.text("version") << " " << tag;
        }
    }
}

TEST(Torch, RocmTargetsExist) {
    for (const Table::Row& row : rows_of("torch_rocm")) {
        for (const std::string& gfx : row.items("gfx")) {
            EXPECT_TRUE(find_row(embedded_knowledge().table("amd_gfx"), "gfx", gfx)) << gfx;
        }
    }
}

TEST(Variables, ReplacementsOfRenamedOnesAreRead) {
    for (const Table::Row& row : rows_of("environment_variables")) {
        const std::string status = row.text("status");
        EXPECT_TRUE(status == "read" || status == "renamed" || status == "unread") << row.text("name");
        EXPECT_EQ(row.cell("replaced_by").has_value(), status != "read") << row.text("name");
        if (status == "renamed") {
            const std::optional<Table::Row> now = find_row(
                embedded_knowledge().table("environment_variables"), "name", row.text("replaced_by"));
            ASSERT_TRUE(now) << row.text("name");
            EXPECT_EQ(now->text("status"), "read") << row.text("name");
        }
    }
}

}  // namespace
}  // namespace whygpu
