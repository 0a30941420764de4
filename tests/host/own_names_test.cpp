#include "host/own_names.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

TEST(OwnNames, NameThisMachine) {
    const OwnNames names = own_names();
    EXPECT_FALSE(names.host.empty());
    EXPECT_TRUE(names.home.empty() || names.home.front() == '/') << names.home;
}

TEST(AbsolutePath, FollowsFromTheRoot) {
    EXPECT_EQ(absolute_path("/usr/../usr/."), "/usr");
    EXPECT_EQ(absolute_path(".").front(), '/');
}

TEST(AbsolutePath, OfWhatIsNotThereStaysAsItIs) {
    EXPECT_EQ(absolute_path("no/such/folder/here"), "no/such/folder/here");
    EXPECT_EQ(absolute_path(""), "");
}

}  // namespace
}  // namespace whygpu
