#include "knowledge/amd.h"

#include <gmock/gmock.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

using testing::Contains;
using testing::Not;

const Knowledge& tables() {
    return embedded_knowledge();
}

Version version(std::string_view text) {
    return Version::parse(text).value();
}

TEST(Gfx, OfANameInPciIds) {
    EXPECT_EQ(gfx_of_pci_name(tables(), "Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M]"), "gfx1100");
    EXPECT_EQ(gfx_of_pci_name(tables(), "Aqua Vanjaram [Instinct MI300X]"), "gfx942");
    EXPECT_EQ(gfx_of_pci_name(tables(), "Aqua Vanjaram [Instinct MI350X]"), "gfx950");
    EXPECT_EQ(gfx_of_pci_name(tables(), "Strix Halo [Radeon 8060S]"), "gfx1151");
    EXPECT_EQ(gfx_of_pci_name(tables(), "Cedar [Radeon HD 5450]"), "");
    EXPECT_EQ(gfx_of_pci_name(tables(), ""), "");
}

TEST(Gfx, TheLongestPrefixWins) {
    const Result<Knowledge> changed =
        Knowledge::load({{"amd_gfx", "gfx\tchip_prefixes\nfirst\tNavi 31 XL\nsecond\tNavi 31 XLE,Navi\n"}});
    ASSERT_TRUE(changed.has_value());
    EXPECT_EQ(gfx_of_pci_name(*changed, "Navi 31 XL [card]"), "first");
    EXPECT_EQ(gfx_of_pci_name(*changed, "Navi 31 XLE [card]"), "second");
    EXPECT_EQ(gfx_of_pci_name(*changed, "Navi 31 [card]"), "gfx1100");
}

TEST(Override, IsOnlyGivenWhereItIsSafe) {
    EXPECT_EQ(gfx_support(tables(), "gfx1031")->safe_override, "10.3.0");
    EXPECT_EQ(gfx_support(tables(), "gfx1102")->safe_override, "11.0.0");
    EXPECT_EQ(gfx_support(tables(), "gfx1036")->safe_override, "") << "often works, unstable";
    EXPECT_EQ(gfx_support(tables(), "gfx1151")->safe_override, "") << "disputed";
    EXPECT_EQ(gfx_support(tables(), "gfx1012")->safe_override, "");
    EXPECT_EQ(gfx_support(tables(), "gfx1100")->safe_override, "") << "not needed";
    EXPECT_EQ(gfx_support(tables(), "gfx9999"), std::nullopt);
}

TEST(OfficialSupport, TheRowOfTheCardWins) {
    EXPECT_EQ(rocm_official(tables(), "gfx1030", "Radeon RX 6800 XT"), false);
    EXPECT_EQ(rocm_official(tables(), "gfx1030", "Radeon PRO W6800"), true);
    EXPECT_EQ(rocm_official(tables(), "gfx1030", "some other card"), true);
    EXPECT_EQ(rocm_official(tables(), "gfx1102", "Radeon RX 7600 XT"), false);
    EXPECT_EQ(rocm_official(tables(), "gfx1153", ""), std::nullopt);
}

TEST(RocmWheel, GfxTargets) {
    const std::optional<std::vector<std::string>> code =
        torch_rocm_code(tables(), version("2.7.1"), "rocm6.3");
    ASSERT_TRUE(code);
    EXPECT_THAT(*code, Contains("gfx1201"));
    EXPECT_THAT(*code, Not(Contains("gfx1151")));
    EXPECT_EQ(torch_rocm_code(tables(), version("2.6.0"), "rocm6.2.4"), std::nullopt) << "not read";
}

TEST(RocmWheel, NewestWithATarget) {
    const std::optional<RocmChoice> choice = newest_rocm_torch_for(tables(), "gfx1151");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->series, version("2.13"));
    EXPECT_EQ(choice->index_path, "whl/rocm7.2");
    EXPECT_EQ(newest_rocm_torch_for(tables(), "gfx803")->series, version("1.10"));
    EXPECT_EQ(newest_rocm_torch_for(tables(), "gfx1012"), std::nullopt);
}

}  // namespace
}  // namespace whygpu
