#include "base/known.h"

#include <gtest/gtest.h>

namespace whygpu {
namespace {

TEST(KnownFact, DefaultIsNotAsked) {
    const Known<int> fact;
    EXPECT_FALSE(fact.known());
    EXPECT_EQ(fact.why(), Missing::not_asked);
    EXPECT_FALSE(fact.is(0));
}

TEST(KnownFact, ValueAndSource) {
    const Known<int> fact(0, Source{"/sys/x", 2, "0"});
    EXPECT_TRUE(fact.is(0));
    EXPECT_EQ(*fact, 0);
    EXPECT_EQ(fact.source().line, 2);
}

TEST(KnownFact, MissingLikeAnotherKeepsTheReason) {
    const Known<int> cause =
        Known<int>::missing(Missing::denied, "permission denied", Source{"/proc/x", 0, ""});
    const Known<std::string> fact = Known<std::string>::missing_like(cause);
    EXPECT_EQ(fact.why(), Missing::denied);
    EXPECT_EQ(fact.because(), "permission denied");
    EXPECT_EQ(fact.source().origin, "/proc/x");
}

TEST(MissingNames, RoundTrip) {
    for (const Missing why : {Missing::absent, Missing::denied, Missing::unsupported, Missing::malformed,
                              Missing::timed_out, Missing::crashed, Missing::not_asked}) {
        EXPECT_EQ(missing_from(name_of(why)), why);
    }
    EXPECT_EQ(missing_from("gone"), std::nullopt);
}

}  // namespace
}  // namespace whygpu
