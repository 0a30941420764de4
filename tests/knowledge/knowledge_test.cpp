#include "knowledge/knowledge.h"

#include <gmock/gmock.h>

#include <thread>

#include "knowledge/diagnosis_ids.h"
#include "knowledge/embedded.h"
#include "knowledge/nvidia.h"
#include "knowledge/overlay.h"
#include "tables_of_tests.h"

namespace whygpu {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Knowledge, HasTheEmbeddedTables) {
    EXPECT_THAT(embedded_knowledge().names(), Contains("nvidia_chips"));
    EXPECT_THAT(embedded_knowledge().names(), Contains("xid"));
    EXPECT_EQ(embedded_table("no_such_table"), "");
}

TEST(Knowledge, ATableStaysWhereItIsWhenTheKnowledgeMoves) {
    Result<Knowledge> loaded = Knowledge::load();
    ASSERT_TRUE(loaded.has_value());
    const Table& before = loaded->table("nvidia_chips");
    const Knowledge moved = std::move(*loaded);
    EXPECT_EQ(&moved.table("nvidia_chips"), &before);
    EXPECT_EQ(before.size(), 66U);
}

TEST(Knowledge, ManyThreadsMayAskForATableFirst) {
    const Result<Knowledge> loaded = Knowledge::load();
    ASSERT_TRUE(loaded.has_value());
    std::vector<std::thread> threads;
    std::vector<const Table*> seen(8);
    for (const Table*& table : seen) {
        threads.emplace_back([&loaded, &table] { table = &loaded->table("nvidia_cards"); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(seen, testing::Each(&loaded->table("nvidia_cards")));
}

TEST(Changes, ReplaceTheRowOfTheSameKeyAndAddOthers) {
    const Result<Knowledge> loaded =
        Knowledge::load({{"nvidia_cards",
                          "name\tchip\tcompute_capability\tvram_gib\tsource\tconfidence\n"
                          "GeForce RTX 5090\tGB202\t12.0\t48\tmine\tprimary\n"
                          "GeForce RTX 9999\tGB202\t12.0\t64\tmine\tprimary\n"}});
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(card_by_name(*loaded, "GeForce RTX 5090")->vram_gib, 48);
    EXPECT_EQ(card_by_name(*loaded, "GeForce RTX 5090")->tdp_w, std::nullopt);
    EXPECT_EQ(card_by_name(*loaded, "GeForce RTX 9999")->vram_gib, 64);
    EXPECT_EQ(card_by_name(*loaded, "GeForce RTX 4090")->vram_gib, 24);
    EXPECT_EQ(loaded->table("nvidia_cards").size(), embedded_knowledge().table("nvidia_cards").size() + 1);
}

TEST(Changes, ThatDoNotFitAreRefusedWithTheNameOfTheTable) {
    const Result<Knowledge> no_table = Knowledge::load({{"moon_phases", "a\n1\n"}});
    ASSERT_FALSE(no_table.has_value());
    EXPECT_THAT(no_table.error().message, HasSubstr("moon_phases"));

    const Result<Knowledge> no_column = Knowledge::load({{"xid", "code\tcolour\n1\tred\n"}});
    ASSERT_FALSE(no_column.has_value());
    EXPECT_THAT(no_column.error().message, HasSubstr("colour"));

    const Result<Knowledge> no_key = Knowledge::load({{"torch_variants", "series\tcuda\n2.7\t12.8\n"}});
    ASSERT_FALSE(no_key.has_value());
    EXPECT_THAT(no_key.error().message, HasSubstr("tag"));

    EXPECT_FALSE(Knowledge::load({{"xid", ""}}).has_value());
    EXPECT_FALSE(Knowledge::load({{"xid", "code\tname\n1\n"}}).has_value());
}

TEST(Overlay, KeysOfSeveralColumns) {
    const std::string table =
        "# what it is\n# key: series tag\nseries\ttag\tcuda\n2.7\tcu126\t12.6\n2.7\tcu128\t12.8\n";
    EXPECT_THAT(key_columns(table), ElementsAre("series", "tag"));
    EXPECT_THAT(key_columns("series\ttag\n# key: series\n"), IsEmpty());
    const Result<std::string> merged = overlaid(table, "tag\tseries\tcuda\ncu128\t2.7\t12.9\n");
    ASSERT_TRUE(merged.has_value());
    EXPECT_EQ(*merged, "series\ttag\tcuda\n2.7\tcu126\t12.6\n2.7\tcu128\t12.9\n");
}

TEST(Diagnoses, AreAVocabulary) {
    EXPECT_TRUE(is_diagnosis(embedded_knowledge(), "driver.not-installed"));
    EXPECT_FALSE(is_diagnosis(embedded_knowledge(), "driver.not-invented"));
    EXPECT_FALSE(is_diagnosis(embedded_knowledge(), ""));
    EXPECT_THAT(meaning_of_diagnosis(embedded_knowledge(), "hardware.thermal-throttling"),
                HasSubstr("temperature"));
}

}  // namespace
}  // namespace whygpu
