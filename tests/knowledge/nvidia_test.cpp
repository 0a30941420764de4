#include "knowledge/nvidia.h"

#include <gmock/gmock.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

const Knowledge& tables() {
    return embedded_knowledge();
}

TEST(Chip, OfANameInPciIds) {
    const std::optional<Chip> chip = chip_of_device(tables(), "2b85", "GB202 [GeForce RTX 5090]");
    ASSERT_TRUE(chip);
    EXPECT_EQ(chip->name, "GB202");
    EXPECT_EQ(chip->architecture, "Blackwell");
    EXPECT_EQ(chip->compute_capability, Version({12, 0}));
    EXPECT_EQ(chip->open_modules, "required");
    EXPECT_EQ(chip->min_driver_branch, 570);
    EXPECT_TRUE(chip->min_driver_certain);
    EXPECT_EQ(chip->last_driver_branch, std::nullopt);
}

TEST(Chip, OfADeviceThatPciIdsDoesNotName) {
    EXPECT_EQ(chip_of_device(tables(), "2b85", "")->name, "GB202");
    EXPECT_EQ(chip_of_device(tables(), "0x2B85", "Device 2b85")->name, "GB202");
    EXPECT_EQ(chip_of_device(tables(), "25ac", "GN20-P0-R-K2 [GeForce RTX 3050 6GB Laptop GPU]")->name,
              "GA107");
}

TEST(Chip, TheLongestNameWins) {
    EXPECT_EQ(chip_of_device(tables(), "1023", "GK110BGL [Tesla K40m]")->name, "GK110B");
    EXPECT_EQ(chip_of_device(tables(), "1003", "GK110 [GeForce GTX Titan LE]")->name, "GK110");
}

TEST(Chip, OlderThanFermiHasNone) {
    EXPECT_EQ(chip_of_device(tables(), "06e4", "G98 [GeForce 8400 GS Rev. 2]"), std::nullopt);
    EXPECT_EQ(chip_of_device(tables(), "not hexadecimal", ""), std::nullopt);
}

TEST(Chip, LastBranchOfPascal) {
    const std::optional<Chip> chip = chip_by_name(tables(), "GP102");
    ASSERT_TRUE(chip);
    EXPECT_EQ(chip->last_driver_branch, 580);
    EXPECT_EQ(chip->open_modules, "no");
    EXPECT_EQ(chip->last_cuda, Version({12, 9}));
}

TEST(Chip, GraceHopperNeedsTheOpenModulesThoughHopperDoesNot) {
    EXPECT_EQ(chip_of_device(tables(), "2342", "GH100 [GH200 120GB / 480GB]")->open_modules, "required");
    EXPECT_EQ(chip_of_device(tables(), "2330", "GH100 [H100 SXM5 80GB]")->open_modules, "optional");
}

TEST(Chip, JetsonHasNoDesktopDriver) {
    const std::optional<Chip> chip = chip_of_capability(tables(), Version({8, 7}));
    ASSERT_TRUE(chip);
    EXPECT_TRUE(chip->jetson);
    EXPECT_EQ(chip->name, "GA10B");
    EXPECT_EQ(chip->open_modules, "");
    EXPECT_EQ(advised_driver_branch(tables(), *chip), std::nullopt);
}

TEST(Chip, OfACapabilityKeepsOnlyWhatItsChipsShare) {
    const std::optional<Chip> chip = chip_of_capability(tables(), Version({6, 1}));
    ASSERT_TRUE(chip);
    EXPECT_EQ(chip->name, "");
    EXPECT_EQ(chip->architecture, "Pascal");
    EXPECT_EQ(chip->last_driver_branch, 580);
    EXPECT_EQ(chip->open_modules, "no");
    EXPECT_EQ(chip_of_capability(tables(), Version({99, 0})), std::nullopt);
}

TEST(MarketingName, IsInTheBrackets) {
    EXPECT_EQ(marketing_name("GB202 [GeForce RTX 5090]"), "GeForce RTX 5090");
    EXPECT_EQ(marketing_name("GB202"), "GB202");
    EXPECT_EQ(marketing_name("odd ] name ["), "odd ] name [");
    EXPECT_EQ(marketing_name("chip []"), "chip []");
    EXPECT_EQ(marketing_name(""), "");
}

TEST(Card, WithOrWithoutTheMakersName) {
    EXPECT_EQ(card_by_name(tables(), "NVIDIA GeForce RTX 4090")->compute_capability, Version({8, 9}));
    EXPECT_EQ(card_by_name(tables(), "GeForce RTX 4090")->chip, "AD102");
    EXPECT_EQ(card_by_name(tables(), "H200")->chip, "GH100");
}

TEST(Card, NamesAreWhole) {
    EXPECT_NE(card_by_name(tables(), "NVIDIA GH200 480GB")->vram_gib,
              card_by_name(tables(), "NVIDIA H200")->vram_gib);
    EXPECT_EQ(card_by_name(tables(), "GH200"), std::nullopt);
    EXPECT_EQ(card_by_name(tables(), "Quadro RTX 5000")->compute_capability, Version({7, 5}));
    EXPECT_EQ(card_by_name(tables(), "NVIDIA RTX 5000 Ada Generation")->compute_capability, Version({8, 9}));
    EXPECT_EQ(card_by_name(tables(), ""), std::nullopt);
}

TEST(Card, DisputedAndRecalledValuesAreLeftOut) {
    EXPECT_EQ(card_by_name(tables(), "Tesla V100-SXM2-32GB")->tdp_w, std::nullopt);
    EXPECT_EQ(card_by_name(tables(), "NVIDIA RTX 4500 Ada Generation")->chip, "");
    EXPECT_EQ(card_by_name(tables(), "GeForce GTX 1050")->psu_w, std::nullopt);
    EXPECT_EQ(card_by_name(tables(), "GeForce RTX 5090")->psu_w, 1000);
}

TEST(DriverBranch, ToInstall) {
    EXPECT_EQ(advised_driver_branch(tables(), *chip_by_name(tables(), "GK210")), 470);
    EXPECT_EQ(advised_driver_branch(tables(), *chip_by_name(tables(), "GP102")), 580);
    EXPECT_EQ(advised_driver_branch(tables(), *chip_by_name(tables(), "GB202")), 580);
    EXPECT_EQ(advised_driver_branch(tables(), *chip_by_name(tables(), "GR100")), 620);
    EXPECT_EQ(advised_driver_branch(tables(), *chip_by_name(tables(), "GB120")), std::nullopt);
}

}  // namespace
}  // namespace whygpu
