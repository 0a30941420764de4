#include "knowledge/cuda.h"

#include <gtest/gtest.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

using Kind = DriverFit::Kind;

const Knowledge& tables() {
    return embedded_knowledge();
}

Version version(std::string_view text) {
    return Version::parse(text).value();
}

DriverFit fit(std::string_view driver, std::string_view cuda) {
    return driver_fit(tables(), version(driver), version(cuda));
}

TEST(Driver, ServesTheCudaOfItsBranch) {
    EXPECT_EQ(cuda_served_by_driver(tables(), version("570.86.10")), version("12.8"));
    EXPECT_EQ(cuda_served_by_driver(tables(), version("535.183.01")), version("12.2"));
    EXPECT_EQ(cuda_served_by_driver(tables(), version("617.14")), version("13.4"));
    EXPECT_EQ(cuda_served_by_driver(tables(), version("304.137")), std::nullopt);
}

TEST(Toolkit, CameWithADriver) {
    EXPECT_EQ(minimum_driver(tables(), version("12.4")), version("550.54.14"));
    EXPECT_EQ(minimum_driver(tables(), version("12.4.1")), version("550.54.15"));
    EXPECT_EQ(minimum_driver(tables(), version("12.4.127")), version("550.54.14"));
    EXPECT_EQ(minimum_driver(tables(), version("11.0")), version("450.51.05"));
    EXPECT_EQ(minimum_driver(tables(), version("12.7")), std::nullopt);
    EXPECT_EQ(minimum_driver(tables(), version("13.5")), std::nullopt);
}

TEST(MinorCompatibility, StartsWithCuda11) {
    EXPECT_EQ(minor_compatibility_minimum(tables(), 11), version("450.80.02"));
    EXPECT_EQ(minor_compatibility_minimum(tables(), 12), version("525.60.13"));
    EXPECT_EQ(minor_compatibility_minimum(tables(), 10), std::nullopt);
    EXPECT_EQ(minor_compatibility_minimum(tables(), 14), std::nullopt);
}

TEST(DriverFits, NewEnough) {
    EXPECT_EQ(fit("570.86.10", "12.8").kind, Kind::full);
    EXPECT_EQ(fit("550.54.14", "12.4.1").kind, Kind::full);
    EXPECT_EQ(fit("580.65.06", "9.2").kind, Kind::full);
    EXPECT_EQ(fit("535.183.01", "7.5").kind, Kind::full);
    EXPECT_EQ(fit("450.51.06", "11.0").kind, Kind::full);
}

TEST(DriverFits, WithinTheFamilyOnly) {
    EXPECT_EQ(fit("535.183.01", "12.8").kind, Kind::minor_compatibility);
    EXPECT_EQ(fit("535.183.01", "12.8").needed, version("570.26"));
    EXPECT_EQ(fit("595.45.04", "13.5").kind, Kind::minor_compatibility);
    EXPECT_EQ(fit("595.45.04", "13.5").needed, version("620"));
}

TEST(DriverFits, TooOld) {
    EXPECT_EQ(fit("535.183.01", "13.0").kind, Kind::too_old);
    EXPECT_EQ(fit("535.183.01", "13.0").needed, version("580.65.06"));
    EXPECT_EQ(fit("470.256.02", "12.1").kind, Kind::too_old);
    EXPECT_EQ(fit("470.256.02", "12.1").needed, version("525.60.13"));
    EXPECT_EQ(fit("390.157", "10.2").kind, Kind::too_old);
    EXPECT_EQ(fit("390.157", "10.2").needed, version("440.33"));
}

TEST(DriverFits, IsNotGuessedBeyondTheTables) {
    EXPECT_EQ(fit("900.10", "14.2").kind, Kind::unknown);
    EXPECT_EQ(fit("900.10", "13.9").kind, Kind::unknown);
    EXPECT_EQ(fit("900.10", "13.0").kind, Kind::full);
    EXPECT_EQ(fit("580.65.06", "14.0").kind, Kind::unknown);
}

}  // namespace
}  // namespace whygpu
