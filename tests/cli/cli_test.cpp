// Command-line cases: tests/cli/*.case, plain directives, a blank line between cases.
//
//   NAME what is shown           RUN arguments of whygpu (split at spaces)
//   ENV NAME=VALUE               STDIN text           EXIT code
//   OUT text that standard output holds    NOT text that it does not hold    ERR text on standard error
//   COLUMNS n: no line is wider, command lines ("$ " or beginning with a command) excepted by WIDE
//   ASCII: standard output is ASCII        EMPTY: standard output is empty   JSON: it parses as JSON
//
// @MACHINES@ stands for tests/machines, @TMP@ for an empty folder of the case.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "base/unicode.h"
#include "support/run_program.h"
#include "support/unit_cases.h"

namespace whygpu::testing {
namespace {

namespace fs = std::filesystem;

struct Directive {
    std::string word;
    std::string text;
    int line = 0;
};

struct CliCase {
    std::string file;
    std::vector<Directive> directives;

    std::string first(std::string_view word) const {
        for (const Directive& directive : directives) {
            if (directive.word == word) {
                return directive.text;
            }
        }
        return "";
    }
};

std::vector<CliCase> cases_in(const fs::path& file) {
    std::vector<CliCase> cases;
    int number = 0;
    const std::string content = read_source(file.string());
    for (const std::string_view line : lines_of(content)) {
        ++number;
        if (trimmed(line).empty() || line.starts_with("#")) {
            continue;
        }
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string word(line.substr(0, space));
        if (word == "NAME") {
            cases.push_back(CliCase{file.string(), {}});
        }
        EXPECT_FALSE(cases.empty()) << file << ":" << number;
        cases.back().directives.push_back({word, std::string(trimmed(line.substr(space))), number});
    }
    return cases;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

class CliTest : public ::testing::Test {
public:
    explicit CliTest(CliCase one) : case_(std::move(one)) {}

    void TestBody() override {
        const fs::path folder = fs::temp_directory_path() / ("whygpu-cli-" + std::to_string(getpid()));
        fs::create_directories(folder);
        folder_ = folder.string();
        run_all();
        fs::remove_all(folder);
    }

private:
    std::string expanded(const std::string& text) const {
        const std::string machines = std::string(WHYGPU_SOURCE_DIR) + "/tests/machines";
        return replaced(replaced(text, "@MACHINES@", machines), "@TMP@", folder_);
    }

    // A case may run the program several times; what is expected follows its RUN.
    void run_all() {
        std::map<std::string, std::string> environment = {{"LC_ALL", "C.UTF-8"}};
        ProgramRun run;
        int checks = 0;
        for (const Directive& directive : case_.directives) {
            SCOPED_TRACE(case_.file + ":" + std::to_string(directive.line));
            const std::string text = expanded(directive.text);
            if (directive.word == "ENV") {
                environment[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
            } else if (directive.word == "RUN") {
                std::vector<std::string> words;
                for (const std::string_view word : words_of(text)) {
                    words.emplace_back(word);
                }
                run = run_whygpu(words, environment, case_.first("STDIN"));
            } else if (directive.word != "NAME" && directive.word != "STDIN") {
                check(directive.word, text, run);
                ++checks;
            }
        }
        EXPECT_GT(checks, 0) << "a case that expects nothing";
    }

    static void check(const std::string& word, const std::string& text, const ProgramRun& run) {
        if (word == "EXIT") {
            EXPECT_EQ(std::to_string(run.exit_code), text) << run.output << run.error_text;
        } else if (word == "OUT") {
            EXPECT_TRUE(contains(run.output, text)) << run.output << run.error_text;
        } else if (word == "NOT") {
            EXPECT_FALSE(contains(run.output, text)) << run.output;
        } else if (word == "ERR") {
            EXPECT_TRUE(contains(run.error_text, text)) << run.error_text;
        } else if (word == "ASCII") {
            const bool ascii = std::all_of(run.output.begin(), run.output.end(),
                                           [](char c) { return static_cast<unsigned char>(c) < 128; });
            EXPECT_TRUE(ascii) << run.output;
        } else if (word == "EMPTY") {
            EXPECT_EQ(run.output, "");
        } else if (word == "JSON") {
            EXPECT_TRUE(parse_json(run.output).has_value()) << run.output;
        } else if (word == "COLUMNS") {
            check_columns(static_cast<int>(*parse_int(text)), run.output);
        } else {
            FAIL() << "unknown directive " << word;
        }
    }

    // Commands stay whole whatever the width, and so may their lines.
    static void check_columns(int columns, const std::string& output) {
        for (const std::string_view line : lines_of(output)) {
            const bool command = contains(line, "sudo ") || contains(line, "whygpu ") ||
                                 contains(line, "nvidia-smi") || contains(line, "lspci") ||
                                 contains(line, "pip ");
            EXPECT_TRUE(command || display_width(line) <= columns) << line;
        }
    }

    CliCase case_;
    std::string folder_;
};

void register_cases() {
    const std::string folder = std::string(WHYGPU_SOURCE_DIR) + "/tests/cli";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".case") {
            continue;
        }
        for (const CliCase& one : cases_in(entry.path())) {
            ::testing::RegisterTest(entry.path().stem().string().c_str(), one.first("NAME").c_str(), nullptr,
                                    nullptr, __FILE__, __LINE__,
                                    [=]() -> ::testing::Test* { return new CliTest(one); });
        }
    }
}

}  // namespace
}  // namespace whygpu::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    whygpu::testing::register_cases();
    return RUN_ALL_TESTS();
}
