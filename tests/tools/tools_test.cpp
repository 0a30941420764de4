// The tools that keep the house in order, run as a developer runs them. They also check the tree: a
// broken layer or rule of style fails here before anybody reviews it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
    int status = -1;
    std::string output;
};

// Runs a shell command in a folder and collects what it prints.
Outcome run(const fs::path& folder, const std::string& command) {
    Outcome outcome;
    const std::string line = "cd '" + folder.string() + "' && " + command + " 2>&1";
    // allow(banned-shell): a test runs the tools as a developer types them
    FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) {
        return outcome;
    }
    char block[4096];
    while (const std::size_t count = fread(block, 1, sizeof block, pipe)) {
        outcome.output.append(block, count);
    }
    const int status = pclose(pipe);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

const fs::path source_dir = WHYGPU_SOURCE_DIR;

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A scratch tree with the tools and nothing else.
class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "whygpu-tools-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
        fs::create_directories(root_ / "src");
        fs::copy(source_dir / "tools", root_ / "tools", fs::copy_options::recursive);
        fs::copy(source_dir / "CMakeLists.txt", root_ / "CMakeLists.txt");
    }
    void TearDown() override { fs::remove_all(root_); }

    void write(const fs::path& name, const std::string& text) {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }

    Outcome run_here(const std::string& command) const { return run(root_, command); }

    fs::path root_;
};

void expect_fine(const std::string& command) {
    const Outcome outcome = run(source_dir, command);
    EXPECT_EQ(outcome.status, 0) << command << " says:\n" << outcome.output;
}

TEST(Tree, KeepsTheLayers) {
    expect_fine("tools/check_layers");
}
TEST(Tree, KeepsTheStyle) {
    expect_fine("tools/check_style");
}
TEST(Tree, IsTranslated) {
    expect_fine("tools/unit i18n-status");
}
TEST(StyleCheck, ReportsEveryFixtureExactly) {
    expect_fine("tools/check_style --self-test");
}

TEST_F(Scratch, LayersAreChecked) {
    write("src/base/text.h", "#pragma once\n");
    write("src/host/file.h", "#pragma once\n#include \"base/text.h\"\n");
    write("src/host/file.cpp", "#include \"host/file.h\"\nint a = open(\"/proc/version\", 0);\n");
    EXPECT_EQ(run_here("tools/check_layers").status, 0);

    write("src/base/bad.cpp", "#include \"host/file.h\"\n");
    const Outcome outcome = run_here("tools/check_layers");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.output, HasSubstr("src/base/bad.cpp:1: base/ may not include host/"));
}

TEST_F(Scratch, FoldersTouchOnlyTheirOwn) {
    write("src/rules/driver/a.cpp",
          "int a() { return ::open(\"/dev/nvidia0\", 0); }\n"
          "void* b() { return dlopen(\"libcuda.so.1\", 1); }\n"
          "void c() { std::printf(\"x\"); }\n"
          "#include <nlohmann/json.hpp>\n"
          "#include \"tests/helper.h\"\n"
          "#include <gtest/gtest.h>\n");
    const Outcome outcome = run_here("tools/check_layers");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(
        outcome.output,
        AllOf(HasSubstr("a.cpp:1: open()"), HasSubstr("a.cpp:2: dlopen()"), HasSubstr("a.cpp:3: printf()"),
              HasSubstr("a.cpp:4: <nlohmann/json.hpp>"), HasSubstr("a.cpp:5: includes \"tests/helper.h\""),
              HasSubstr("a.cpp:6: <gtest/gtest.h>")));
}

TEST_F(Scratch, LooksAreNoCalls) {
    write("src/rules/driver/a.cpp",
          "// open(\"x\") and dlopen in a comment\n"
          "const char* text = \"printf(1) fork()\";\n"
          "void f(File& file) { file.open(1); file->stat(2); Archive::open(3); }\n"
          "struct Door { bool open(int key); };\n");
    const Outcome outcome = run_here("tools/check_layers");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(Scratch, UnitsDoNotIncludeEachOther) {
    write("src/probes/pci.md", "+++\n+++\n");
    write("src/probes/pci.h", "#pragma once\n");
    write("src/probes/nodes.cpp", "#include \"probes/pci.h\"\n");
    EXPECT_THAT(run_here("tools/check_layers").output,
                HasSubstr("nodes.cpp:1: a unit includes another unit"));
}

TEST_F(Scratch, FolderWithoutARowIsReported) {
    write("src/misc/a.cpp", "\n");
    EXPECT_EQ(run_here("tools/check_layers").status, 1);
}

TEST_F(Scratch, EmptyTreeIsNoSuccess) {
    EXPECT_EQ(run_here("tools/check_layers").status, 1);
    EXPECT_EQ(run_here("tools/check_style").status, 1);
}

TEST_F(Scratch, NewRuleHasItsThreeFiles) {
    const Outcome outcome = run_here("tools/unit new rule driver/nouveau_loaded");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(content(root_ / "src/rules/driver/nouveau_loaded.cpp"),
                HasSubstr("namespace whygpu::rules::driver::nouveau_loaded {"));
    EXPECT_THAT(content(root_ / "src/rules/driver/nouveau_loaded.md"),
                AllOf(HasSubstr("id = \"driver.nouveau-loaded\""), HasSubstr("## Cases")));
    EXPECT_THAT(content(root_ / "src/rules/driver/nouveau_loaded.zh.md"), HasSubstr("## 含义"));
    EXPECT_EQ(run_here("tools/unit i18n-status").status, 0);
    EXPECT_THAT(run_here("tools/check_style").output, HasSubstr("todo:"));
    EXPECT_EQ(run_here("tools/unit new rule driver/nouveau_loaded").status, 2);
}

// A rule is its files: no list names it, and the program knows it all the same.
TEST(Units, ARuleIsAddedWithoutAnEditAnywhereElse) {
    const std::string snapshot = "tests/machines/desktop_ubuntu2404_rtx4090";
    const Outcome outcome = run(source_dir, "tests/tools/new_rule.sh . '" WHYGPU_BUILD_DIR "' " + snapshot);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("A rule of two files"));
}

TEST_F(Scratch, NewProbeHasItsThreeFiles) {
    EXPECT_EQ(run_here("tools/unit new probe modules").status, 0);
    EXPECT_THAT(content(root_ / "src/probes/modules.cpp"), HasSubstr("void probe(Host& host, Facts& facts)"));
    EXPECT_THAT(content(root_ / "src/probes/modules.md"), HasSubstr("section = \"modules\""));
    EXPECT_TRUE(fs::exists(root_ / "src/probes/modules.zh.md"));
}

TEST_F(Scratch, StaleTranslationIsFoundAndMarked) {
    ASSERT_EQ(run_here("tools/unit new rule os/too_old").status, 0);
    const fs::path english = root_ / "src/rules/os/too_old.md";
    std::string text = content(english);
    const std::string heading = "## How to tell\n";
    text.insert(text.find(heading) + heading.size(), "\nOne more sentence.\n");
    std::ofstream(english) << text;

    const Outcome stale = run_here("tools/unit i18n-status");
    EXPECT_EQ(stale.status, 1);
    EXPECT_THAT(stale.output, HasSubstr("src/rules/os/too_old.md: the English changed"));
    EXPECT_EQ(run_here("tools/unit i18n-status --mark os/too_old").status, 0);
    EXPECT_EQ(run_here("tools/unit i18n-status").status, 0);
}

TEST_F(Scratch, ChangedCasesLeaveTheTranslationFresh) {
    ASSERT_EQ(run_here("tools/unit new rule os/too_old").status, 0);
    std::ofstream(root_ / "src/rules/os/too_old.md", std::ios::app) << "\n### One more case\n";
    EXPECT_EQ(run_here("tools/unit i18n-status").status, 0);
}

TEST_F(Scratch, RenameTakesReferencesAlong) {
    ASSERT_EQ(run_here("tools/unit new rule os/old_name").status, 0);
    write("src/rules/os/other.md", "+++\nexplains = [\"os.old-name\", \"os.old-name-too\"]\n+++\n# x\n");
    write("src/rules/os/other.zh.md", "+++\n+++\n# x\n");
    const Outcome outcome = run_here("tools/unit rename os/old_name os/new_name");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_FALSE(fs::exists(root_ / "src/rules/os/old_name.md"));
    EXPECT_THAT(content(root_ / "src/rules/os/new_name.cpp"), HasSubstr("rules::os::new_name"));
    EXPECT_THAT(content(root_ / "src/rules/os/new_name.md"), HasSubstr("\"os.new-name\""));
    EXPECT_THAT(content(root_ / "src/rules/os/other.md"),
                HasSubstr("[\"os.new-name\", \"os.old-name-too\"]"));
}

TEST_F(Scratch, SumOfTestsCountsWhatFailedAndWhatDied) {
    write("build/test-results/base.xml",
          "<testsuites><testsuite name='A'><testcase name='good' status='run' classname='A'/>"
          "<testcase name='bad' status='run' classname='A'><failure message='x'/></testcase>"
          "<testcase name='left' status='run' result='skipped' classname='A'/></testsuite></testsuites>");
    write("build/Testing/Temporary/LastTestsFailed.log", "1:base\n2:host\n");
    const Outcome outcome = run_here("tools/sum_tests build");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.output,
                AllOf(HasSubstr("FAILED base: A.bad"), HasSubstr("FAILED host: did not finish"),
                      HasSubstr("\n1 passed, 2 failed, 1 skipped\n"), Not(HasSubstr("A.good"))));
}

TEST_F(Scratch, SumOfNothingIsNoSuccess) {
    const Outcome outcome = run_here("tools/sum_tests build");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.output, HasSubstr("0 passed, 0 failed\n"));
}

}  // namespace
