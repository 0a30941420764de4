// The whole program on recorded machines: tests/machines/<name>/*.answers with golden reports beside
// them (report.en.txt, report.zh.txt, report.json). WHYGPU_ACCEPT=1 rewrites the golden files.
// expect.toml says what a person expects: the verdict and the findings.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/json.h"
#include "base/text.h"
#include "support/run_program.h"
#include "support/unit_cases.h"

namespace whygpu::testing {
namespace {

namespace fs = std::filesystem;

// The counts at the end of a text report hold the elapsed time, whose length moves the line break.
// They come as one line here.
std::string with_counts_on_one_line(const std::string& text) {
    std::size_t start = text.size();
    do {
        start = start < 2 ? 0 : text.rfind('\n', start - 2) + 1;
    } while (start > 0 && text[start] == ' ');
    std::string out = text.substr(0, start);
    for (const std::string_view line : lines_of(std::string_view(text).substr(start))) {
        out += (line.starts_with("  ") ? " " : "") + std::string(trimmed(line));
    }
    return out + "\n";
}

// The only part of a report that may differ between two runs.
std::string without_time(const std::string& text) {
    const bool json = text.starts_with("{");
    const std::string input = json ? text : with_counts_on_one_line(text);
    std::string out;
    for (const std::string_view line : lines_of(input)) {
        std::string kept(line);
        if (const std::size_t at = kept.find(" ms"); at != std::string::npos && contains(kept, "·")) {
            std::size_t begin = at;
            while (begin > 0 && std::isdigit(static_cast<unsigned char>(kept[begin - 1])) != 0) {
                --begin;
            }
            kept.replace(begin, at - begin, "N");
        }
        if (contains(kept, "\"elapsed_ms\": ")) {
            kept = "  \"elapsed_ms\": 0";
        }
        out += kept + "\n";
    }
    return out;
}

// The facts stay out of the golden files: the probes' cases check them, and every new fact would rewrite all
// of these.
std::string without_facts(const std::string& text) {
    const Result<Json> report = parse_json(text);
    if (!report || report->as_object() == nullptr) {
        return "no JSON object: " + text;
    }
    Json kept = Json::object();
    for (const auto& [key, value] : *report->as_object()) {
        if (key != "facts") {
            kept.set(key, value);
        }
    }
    return to_text(kept, 2) + "\n";
}

void compare_golden(const fs::path& file, const std::string& actual) {
    if (accepting()) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << actual;
        return;
    }
    EXPECT_EQ(actual, read_source(file.string())) << file << ": WHYGPU_ACCEPT=1 rewrites it";
}

ProgramRun doctor(const fs::path& machine, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"doctor", "--snapshot", machine.string(), "--color", "never"};
    words.insert(words.end(), more.begin(), more.end());
    return run_whygpu(words,
                      {{"LC_ALL", "C.UTF-8"}, {"CUDA_VISIBLE_DEVICES", "leak-of-the-running-machine"}});
}

class MachineTest : public ::testing::Test {
public:
    explicit MachineTest(fs::path machine) : machine_(std::move(machine)) {}

    void TestBody() override {
        const ProgramRun english = doctor(machine_, {"--lang", "en"});
        const ProgramRun chinese = doctor(machine_, {"--lang", "zh"});
        const ProgramRun json = doctor(machine_, {"--lang", "en", "--format", "json"});
        EXPECT_EQ(english.error_text, "");
        compare_golden(machine_ / "report.en.txt", without_time(english.output));
        compare_golden(machine_ / "report.zh.txt", without_time(chinese.output));
        compare_golden(machine_ / "report.json", without_time(without_facts(json.output)));
        EXPECT_EQ(english.output.find("leak-of-the-running-machine"), std::string::npos);
        check_expectation(json);
    }

private:
    void check_expectation(const ProgramRun& run) const {
        const Result<Json> expected = parse_toml(read_source((machine_ / "expect.toml").string()));
        const Result<Json> report = parse_json(run.output);
        ASSERT_TRUE(expected.has_value() && report.has_value()) << run.output << run.error_text;
        EXPECT_EQ(report->text("verdict"), expected->text("verdict"));
        std::vector<std::string> ids;
        for (const Json& finding : *report->find("findings")->as_array()) {
            ids.push_back(finding.text("id"));
        }
        EXPECT_EQ(ids, expected->texts("findings"));
        const std::int64_t* code = expected->find("exit_code")->as_int();
        ASSERT_NE(code, nullptr);
        EXPECT_EQ(run.exit_code, *code);
    }

    fs::path machine_;
};

std::vector<fs::path> machines() {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(std::string(WHYGPU_SOURCE_DIR) + "/tests/machines")) {
        if (entry.is_directory()) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// The READMEs show the report of a recorded machine as it is now; the block after the marker is rewritten by
// WHYGPU_ACCEPT=1.
void expect_readme_report(const std::string& file, const std::string& lang) {
    const std::string path = std::string(WHYGPU_SOURCE_DIR) + "/" + file;
    std::string readme = read_source(path);
    const std::string marker = "<!-- report:";
    const std::size_t at = readme.find(marker);
    ASSERT_NE(at, std::string::npos);
    const std::size_t name_end = readme.find(' ', at + marker.size());
    const std::string machine = readme.substr(at + marker.size(), name_end - at - marker.size());
    const std::size_t begin = readme.find("```text\n", at) + 8;
    const std::size_t end = readme.find("```", begin);
    std::string golden = read_source(std::string(WHYGPU_SOURCE_DIR) + "/tests/machines/" + machine +
                                     "/report." + lang + ".txt");
    golden.replace(golden.find("N ms"), 1, "41");
    if (accepting()) {
        readme.replace(begin, end - begin, golden);
        std::ofstream(path, std::ios::binary | std::ios::trunc) << readme;
        return;
    }
    EXPECT_EQ(readme.substr(begin, end - begin), golden) << path;
}

TEST(Readme, ShowsARealReport) {
    expect_readme_report("README.md", "en");
    expect_readme_report("README.zh-CN.md", "zh");
}

TEST(Machines, AThirdAreHealthyAndSilent) {
    int healthy = 0;
    for (const fs::path& machine : machines()) {
        const std::string expectation = read_source((machine / "expect.toml").string());
        healthy += contains(expectation, "verdict = \"ok\"") ? 1 : 0;
    }
    EXPECT_GE(machines().size(), 12U);
    EXPECT_GE(healthy * 3, static_cast<int>(machines().size()));
}

}  // namespace
}  // namespace whygpu::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    for (const auto& machine : whygpu::testing::machines()) {
        ::testing::RegisterTest(
            "Machine", machine.filename().string().c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [=]() -> ::testing::Test* { return new whygpu::testing::MachineTest(machine); });
    }
    return RUN_ALL_TESTS();
}
