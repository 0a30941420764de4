#include "base/version.h"

#include <gtest/gtest.h>

namespace whygpu {
namespace {

Version version(std::string_view text) {
    const std::optional<Version> parsed = Version::parse(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    return parsed.value_or(Version{});
}

TEST(Versions, DriversCompareByNumber) {
    EXPECT_LT(version("535.54.03"), version("535.183.01"));
    EXPECT_LT(version("550.90.07"), version("570.86.10"));
    EXPECT_GT(version("1000.1"), version("999.99"));
}

TEST(Versions, MissingPartsAreZero) {
    EXPECT_EQ(version("12"), version("12.0"));
    EXPECT_EQ(version("12.0.0"), version("12"));
    EXPECT_LT(version("12"), version("12.0.1"));
    EXPECT_EQ(Version{}, version("0"));
}

TEST(Versions, PartsAndText) {
    const Version cuda = version("12.8");
    EXPECT_EQ(cuda.major(), 12);
    EXPECT_EQ(cuda.minor(), 8);
    EXPECT_EQ(cuda.part(7), 0);
    EXPECT_EQ(cuda.text(), "12.8");
}

TEST(Versions, AnythingElseIsNone) {
    for (const char* text :
         {"", ".", "12.", ".8", "12..8", "v12", "12.8a", "12 ", "-1", "N/A", "99999999999"}) {
        EXPECT_EQ(Version::parse(text), std::nullopt) << text;
    }
}

TEST(Versions, PrefixOfALongerText) {
    EXPECT_EQ(Version::parse_prefix("6.8.0-64-generic"), version("6.8.0"));
    EXPECT_EQ(Version::parse_prefix("12.4.127-1"), version("12.4.127"));
    EXPECT_EQ(Version::parse_prefix("12.x"), version("12"));
    EXPECT_EQ(Version::parse_prefix("generic"), std::nullopt);
    EXPECT_EQ(Version::parse_prefix(""), std::nullopt);
    EXPECT_EQ(Version::parse_prefix(std::string(100'000, '7')), std::nullopt);
}

struct PythonCase {
    const char* text;
    const char* release;
    bool pre_release;
    const char* local;
};

TEST(PythonVersions, FormsOfRealPackages) {
    const PythonCase cases[] = {
        {"2.6.0+cu124", "2.6.0", false, "cu124"},
        {"2.4.1", "2.4.1", false, ""},
        {"2.10.0a0+git123", "2.10.0", true, "git123"},
        {"1.13.1.post200", "1.13.1", false, ""},
        {"2.7.0.dev20250310+cu128", "2.7.0", true, "cu128"},
        {"2.1.0a0+32f93b1.nv23.9", "2.1.0", true, "32f93b1.nv23.9"},
        {"2.16.0rc0", "2.16.0", true, ""},
        {"2.5.1+rocm6.2", "2.5.1", false, "rocm6.2"},
        {"v1.0.0-beta.2", "1.0.0", true, ""},
        {"1.0b2.post345.dev456", "1.0", true, ""},
        {"1.0-1", "1.0", false, ""},
        {"1!2.0", "2.0", false, ""},
        {" 2.6.0+CU124\n", "2.6.0", false, "cu124"},
    };
    for (const PythonCase& wanted : cases) {
        const std::optional<PythonVersion> parsed = PythonVersion::parse(wanted.text);
        ASSERT_TRUE(parsed.has_value()) << wanted.text;
        EXPECT_EQ(parsed->release.text(), wanted.release) << wanted.text;
        EXPECT_EQ(parsed->pre_release, wanted.pre_release) << wanted.text;
        EXPECT_EQ(parsed->local, wanted.local) << wanted.text;
    }
}

TEST(PythonVersions, AnythingElseIsNone) {
    for (const char* text :
         {"", "torch", "2.6.0+", "2.6.0+cu 124", "2.6.0 cu124", "2.6.x", "+cu124", "1!", "2.0-"}) {
        EXPECT_FALSE(PythonVersion::parse(text).has_value()) << text;
    }
}

}  // namespace
}  // namespace whygpu
