#include "base/table.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tables, CommentsAndNullCells) {
    const Result<Table> table = Table::parse(
        "# what this is\n"
        "name\tcapability\tnotes\n"
        "\n"
        "RTX 5090\t12.0\t-\n"
        "# older\n"
        "A100\t8.0\t\n");
    ASSERT_TRUE(table.has_value());
    EXPECT_THAT(table->columns(), ElementsAre("name", "capability", "notes"));
    ASSERT_EQ(table->size(), 2U);
    EXPECT_EQ(table->row(0).cell("name"), "RTX 5090");
    EXPECT_EQ(table->row(0).cell("notes"), std::nullopt);
    EXPECT_EQ(table->row(1).cell("notes"), std::nullopt);
    EXPECT_EQ(table->row(1).text("capability"), "8.0");
    EXPECT_EQ(table->row(1).text("notes"), "");
    EXPECT_EQ(table->row(1).cell("no such column"), std::nullopt);
}

TEST(Tables, ItemsOfACell) {
    const Result<Table> table = Table::parse("a\tb\nx, y,,z\t-\n");
    ASSERT_TRUE(table.has_value());
    EXPECT_THAT(table->row(0).items("a"), ElementsAre("x", "y", "z"));
    EXPECT_THAT(table->row(0).items("b"), IsEmpty());
}

TEST(Tables, KeepsItsText) {
    std::string text = "a\r\nlong enough to live on the heap\r\n";
    const Result<Table> table = Table::parse(text);
    text.assign(text.size(), '?');
    ASSERT_TRUE(table.has_value());
    EXPECT_EQ(table->row(0).cell("a"), "long enough to live on the heap");
}

TEST(Tables, WrongCellCountNamesTheLine) {
    const Result<Table> few = Table::parse("a\tb\tc\n1\t2\t3\n# comment\n1\t2\n");
    ASSERT_FALSE(few.has_value());
    EXPECT_EQ(few.error().message, "line 4: 2 cells where the header has 3");
    const Result<Table> many = Table::parse("a\tb\n1\t2\t\n");
    ASSERT_FALSE(many.has_value());
    EXPECT_EQ(many.error().message, "line 2: 3 cells where the header has 2");
}

TEST(Tables, HeaderIsNeededAndUnique) {
    EXPECT_FALSE(Table::parse("# nothing\n").has_value());
    EXPECT_FALSE(Table::parse("a\tb\ta\n").has_value());
    EXPECT_EQ(Table::parse("a\tb\n")->size(), 0U);
}

}  // namespace
}  // namespace whygpu
