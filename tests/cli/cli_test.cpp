// Command-line cases: tests/cli/*.case, plain directives, a blank line between cases.
//
//   NAME what is shown           RUN arguments of whygpu (split at spaces)
//   ENV NAME=VALUE               STDIN text           EXIT code
//   WRITE path text: makes a file          MKDIR path: makes a folder
//   OUT text that standard output holds    NOT text that it does not hold    BEGINS text it begins with
//   ERR text on standard error             SILENT: standard error is empty
//   COLUMNS n: no line is wider but those that hold the text of a WIDE
//   ASCII: standard output is ASCII        EMPTY: standard output is empty   JSON: it parses as JSON
//   COLOR: it holds escape sequences       PLAIN: it holds none
//   FILE path text: the file holds the text
//
// @MACHINES@ stands for tests/machines, @TMP@ for an empty folder of the case.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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
        if (cases.empty()) {
            ADD_FAILURE() << file << ":" << number << ": a case begins with NAME";
            break;
        }
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
            } else if (!prepares(directive.word, text)) {
                check(directive.word, text, run);
                ++checks;
            }
        }
        EXPECT_GT(checks, 0) << "a case that expects nothing";
    }

    // Whether the directive belongs to the set-up; makes what it asks for.
    static bool prepares(const std::string& word, const std::string& text) {
        if (word == "WRITE") {
            const std::size_t space = std::min(text.find(' '), text.size());
            std::ofstream(text.substr(0, space), std::ios::binary) << trimmed(text.substr(space)) << "\n";
        } else if (word == "MKDIR") {
            fs::create_directories(text);
        }
        return word == "WRITE" || word == "MKDIR" || word == "NAME" || word == "STDIN" || word == "WIDE";
    }

    void check(const std::string& word, const std::string& text, const ProgramRun& run) const {
        if (word == "EXIT") {
            EXPECT_EQ(std::to_string(run.exit_code), text) << run.output << run.error_text;
        } else if (word == "ERR") {
            EXPECT_TRUE(contains(run.error_text, text)) << run.error_text;
        } else if (word == "SILENT") {
            EXPECT_EQ(run.error_text, "");
        } else if (word == "FILE") {
            const std::size_t space = std::min(text.find(' '), text.size());
            const std::string content = read_source(text.substr(0, space));
            EXPECT_TRUE(contains(content, trimmed(text.substr(space)))) << content;
        } else if (word == "COLUMNS") {
            check_columns(static_cast<int>(*parse_int(text)), run.output);
        } else {
            check_output(word, text, run);
        }
    }

    static void check_output(const std::string& word, const std::string& text, const ProgramRun& run) {
        const bool escapes = contains(run.output, "\x1b[");
        if (word == "OUT") {
            EXPECT_TRUE(contains(run.output, text)) << run.output << run.error_text;
        } else if (word == "NOT") {
            EXPECT_FALSE(contains(run.output, text)) << run.output;
        } else if (word == "BEGINS") {
            EXPECT_TRUE(run.output.starts_with(text)) << run.output << run.error_text;
        } else if (word == "ASCII") {
            const bool ascii = std::all_of(run.output.begin(), run.output.end(),
                                           [](char c) { return static_cast<unsigned char>(c) < 128; });
            EXPECT_TRUE(ascii && !run.output.empty()) << run.output;
        } else if (word == "EMPTY") {
            EXPECT_EQ(run.output, "");
        } else if (word == "JSON") {
            EXPECT_TRUE(parse_json(run.output).has_value()) << run.output;
        } else if (word == "COLOR" || word == "PLAIN") {
            EXPECT_EQ(escapes, word == "COLOR") << run.output;
            EXPECT_NE(run.output, "");
        } else {
            ADD_FAILURE() << "unknown directive " << word;
        }
    }

    // Commands stay whole whatever the width, so the case names those lines with WIDE.
    void check_columns(int columns, const std::string& output) const {
        EXPECT_NE(output, "");
        for (const std::string_view line : lines_of(output)) {
            const bool wide = std::any_of(
                case_.directives.begin(), case_.directives.end(),
                [&](const Directive& one) { return one.word == "WIDE" && contains(line, one.text); });
            EXPECT_TRUE(wide || display_width(line) <= columns) << line;
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
