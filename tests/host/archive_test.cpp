#include "host/archive.h"

#include <gmock/gmock.h>

#include "host/snapshot.h"

namespace whygpu {
namespace {

using testing::SizeIs;

TEST(ArchiveBytes, AreReadAsTheyWerePacked) {
    const Result<std::string> bytes =
        make_archive({{"meta.json", "{}"}, {"machine.answers", std::string(70000, 'x')}});
    ASSERT_TRUE(bytes.has_value());
    const Result<std::vector<Member>> members = read_archive_bytes(*bytes);
    ASSERT_TRUE(members.has_value()) << members.error().message;
    ASSERT_THAT(*members, SizeIs(2));
    EXPECT_EQ((*members)[0].name, "meta.json");
    EXPECT_EQ((*members)[1].bytes.size(), 70000U);
}

TEST(ArchiveBytes, ThatAreNoneAreAnError) {
    for (const std::string text : {"", "not an archive", "\x28\xB5\x2F\xFD", "PK\x03\x04"}) {
        EXPECT_FALSE(read_archive_bytes(text).has_value()) << text;
    }
}

TEST(ArchiveBytes, CutAnywhereNeverGiveMoreThanWasPacked) {
    const std::string bytes = make_archive({{"meta.json", "{}"}, {"a.answers", "== file /a\n1\n"}}).value();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Result<std::vector<Member>> members =
            read_archive_bytes(std::string_view(bytes).substr(0, size));
        EXPECT_TRUE(!members || members->size() <= 2) << size;
    }
}

TEST(ArchiveBytes, WithoutMetaAreNoSnapshot) {
    const std::string bytes = make_archive({{"a.answers", "== file /a\n1\n"}}).value();
    EXPECT_FALSE(read_snapshot_bytes(bytes).has_value());
}

}  // namespace
}  // namespace whygpu
