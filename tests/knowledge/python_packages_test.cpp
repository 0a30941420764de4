#include "knowledge/python_packages.h"

#include <gtest/gtest.h>

#include "knowledge/torch_companions.h"
#include "tables_of_tests.h"

namespace whygpu {
namespace {

const Knowledge& tables() {
    return embedded_knowledge();
}

Facts machine(const std::string& architecture) {
    Facts facts;
    facts.os.architecture = Known<std::string>(architecture);
    return facts;
}

PythonFacts::Package package(const std::string& name, const std::string& version,
                             std::vector<std::string> requirements) {
    return {Known<std::string>(name), Known<std::string>(version), Known<std::string>("/site-packages"),
            Known<std::vector<std::string>>(std::move(requirements))};
}

TEST(Requirements, AreTakenApart) {
    const Requirement old_form = parse_requirement("nvidia_cudnn.cu12 (==9.1.0.70) ; extra == 'x'");
    EXPECT_EQ(old_form.name, "nvidia-cudnn-cu12");
    EXPECT_EQ(old_form.specifiers, "==9.1.0.70");
    EXPECT_EQ(old_form.marker, "extra == 'x'");

    const Requirement with_extra = parse_requirement("cuda-toolkit[cublas,cudart]==13.0.2");
    EXPECT_EQ(with_extra.name, "cuda-toolkit");
    EXPECT_EQ(with_extra.specifiers, "==13.0.2");

    EXPECT_EQ(parse_requirement("numpy").specifiers, "");
    EXPECT_EQ(parse_requirement("").name, "");
    EXPECT_EQ(parse_requirement("jaxlib<=0.5.0,>=0.4.36").specifiers, "<=0.5.0,>=0.4.36");
}

TEST(Requirements, MarkersOfOtherMachinesDoNotCount) {
    const Facts here = machine("x86_64");
    const auto counts = [&](const char* line, bool extras = false) {
        return counts_here(parse_requirement(line), here, extras);
    };
    EXPECT_TRUE(counts("a"));
    EXPECT_TRUE(counts("a; platform_system == \"Linux\" and platform_machine == \"x86_64\""));
    EXPECT_TRUE(counts("a; sys_platform == 'linux'"));
    EXPECT_FALSE(counts("a; platform_machine == \"aarch64\""));
    EXPECT_FALSE(counts("a; platform_system == \"Windows\""));
    EXPECT_FALSE(counts("a; extra == \"cuda\""));
    EXPECT_TRUE(counts("a; extra == \"cuda\"", true));
    // What is not understood does not count: rather silence than a false alarm.
    EXPECT_FALSE(counts("a; python_version < \"3.9\""));
    EXPECT_FALSE(counts("a; platform_machine != \"s390x\""));
    EXPECT_FALSE(counts("a; platform_system == 'Linux' or platform_machine == 'aarch64'"));
}

TEST(Requirements, SpecifiersCompareReleases) {
    const auto fits = [](const char* release, const char* specifiers) {
        return satisfies(*Version::parse(release), specifiers);
    };
    EXPECT_EQ(fits("2.0.2", "<2.2.0,>=1.26.0"), true);
    EXPECT_EQ(fits("2.2.0", "<2.2.0,>=1.26.0"), false);
    EXPECT_EQ(fits("2.4.1", "==2.4.*"), true);
    EXPECT_EQ(fits("2.5.0", "==2.4.*"), false);
    EXPECT_EQ(fits("2.4.9", "~=2.4.1"), true);
    EXPECT_EQ(fits("2.5.0", "~=2.4.1"), false);
    EXPECT_EQ(fits("2.5", "!=2.5.0"), false);
    EXPECT_EQ(fits("1.0", ""), true);
    EXPECT_EQ(fits("1.0", "===1.0"), std::nullopt);
    EXPECT_EQ(fits("1.0", ">=2.0.dev1"), std::nullopt);
}

TEST(Requirements, OnlyOneVersionIsAPin) {
    EXPECT_EQ(exact_pin(parse_requirement("torch==2.4.1")), Version::parse("2.4.1"));
    EXPECT_EQ(exact_pin(parse_requirement("torch==2.4.*")), std::nullopt);
    EXPECT_EQ(exact_pin(parse_requirement("torch>=2.4")), std::nullopt);
    EXPECT_EQ(exact_pin(parse_requirement("torch==2.8.0.dev20250401")), std::nullopt);
}

TEST(TorchCompanions, TheirOwnMetadataGoesBeforeTheTable) {
    Facts facts = machine("x86_64");
    facts.python.torch_version = Known<std::string>("2.5.1+cu124");
    facts.python.torch_cuda = Known<std::string>("12.4");
    facts.python.packages = Known<std::vector<PythonFacts::Package>>(
        {package("torch", "2.5.1+cu124", {}), package("torchvision", "0.19.1", {"torch==2.5.1"})});
    EXPECT_EQ(check_companion(facts, tables(), "torchvision").kind, CompanionCheck::Kind::fits);
    facts.python.packages = Known<std::vector<PythonFacts::Package>>(
        {package("torch", "2.5.1+cu124", {}), package("torchvision", "0.19.1", {})});
    const CompanionCheck check = check_companion(facts, tables(), "torchvision");
    EXPECT_EQ(check.kind, CompanionCheck::Kind::other_torch);
    EXPECT_EQ(check.args.at("its"), "2.4");
    EXPECT_EQ(check.args.at("requirement"),
              "torchvision==0.20.1 --index-url https://download.pytorch.org/whl/cu124");
}

}  // namespace
}  // namespace whygpu
