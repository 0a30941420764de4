// Each code that the tables know, given by the fake libraries to the first call: the child names it, and the
// tables have a sentence about it.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "child.h"
#include "knowledge/error_codes.h"
#include "knowledge/knowledge.h"

namespace whygpu::testing {
namespace {

// Writes a scenario beside those of the source tree; gives its name for ask().
std::string scenario_with(const std::string& name, const std::string& text) {
    const std::string folder = std::string(FAKE_DRIVER_DIR) + "/codes";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/" + name + ".scenario") << text;
    return "../codes/" + name;
}

// Those of a table that the library itself can give; 0 is no failure.
std::vector<CodeMeaning> codes_of(const Knowledge& tables, const char* table, const char* library) {
    std::vector<CodeMeaning> codes;
    for (std::size_t index = 0; index < tables.table(table).size(); ++index) {
        const Table::Row row = tables.table(table).row(index);
        const std::optional<CodeMeaning> code =
            row.cell("name") ? code_named(tables, row.text("name")) : std::nullopt;
        if (code && code->code != 0) {
            EXPECT_EQ(code->library, library);
            codes.push_back(*code);
        }
    }
    return codes;
}

TEST(EveryCode, OfCuda) {
    const Knowledge tables = std::move(*Knowledge::load());
    const std::vector<CodeMeaning> codes = codes_of(tables, "cuda_errors", "cuda");
    EXPECT_GE(codes.size(), 90U);
    for (const CodeMeaning& each : codes) {
        const std::string number = std::to_string(each.code);
        const std::string text = "cuda.init = " + number + "\ncuda.error_name = " + each.name + "\n";
        const Child child = ask("cuda", "current", scenario_with("cuda_" + number, text));
        EXPECT_EQ(child.code("cuInit"), each.code);
        EXPECT_EQ(child.answer("cuInit").text("name"), each.name);
        EXPECT_GE(each.meaning.size(), 8U) << each.name;
    }
}

TEST(EveryCode, OfNvml) {
    const Knowledge tables = std::move(*Knowledge::load());
    const std::vector<CodeMeaning> codes = codes_of(tables, "nvml_codes", "nvml");
    EXPECT_GE(codes.size(), 30U);
    for (const CodeMeaning& each : codes) {
        const std::string number = std::to_string(each.code);
        const std::string text = "nvml.init = " + number + "\n";
        const Child child = ask("nvml", "current", scenario_with("nvml_" + number, text));
        EXPECT_EQ(child.code("nvmlInit"), each.code);
        EXPECT_EQ(child.answer("nvmlInit").text("name"), each.name);
        EXPECT_GE(each.meaning.size(), 8U) << each.name;
    }
}

}  // namespace
}  // namespace whygpu::testing
