#include "knowledge/torch.h"

#include <gmock/gmock.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const Knowledge& tables() {
    return embedded_knowledge();
}

Version version(std::string_view text) {
    return Version::parse(text).value();
}

CodeFit fit(std::vector<std::string> sm, std::vector<std::string> ptx, std::string_view capability) {
    return code_fit(WheelCode{std::move(sm), std::move(ptx), "primary", ""}, version(capability));
}

CodeFit wheel_fit(std::string_view torch, std::string_view tag, std::string_view platform,
                  std::string_view cc) {
    const std::optional<WheelCode> code = torch_wheel_code(tables(), version(torch), tag, platform);
    return code ? code_fit(*code, version(cc)) : CodeFit::unknown;
}

TEST(NativeCode, RunsOnTheSameMajorWithAnEqualOrHigherMinor) {
    EXPECT_EQ(fit({"sm_86"}, {}, "8.9"), CodeFit::native);
    EXPECT_EQ(fit({"sm_86"}, {}, "8.6"), CodeFit::native);
    EXPECT_EQ(fit({"sm_86"}, {}, "8.0"), CodeFit::none);
    EXPECT_EQ(fit({"sm_90"}, {}, "8.9"), CodeFit::none);
    EXPECT_EQ(fit({"sm_90"}, {}, "12.0"), CodeFit::none);
    EXPECT_EQ(fit({"sm_120"}, {}, "12.1"), CodeFit::native);
    EXPECT_EQ(fit({"sm_100"}, {}, "12.0"), CodeFit::none);
}

TEST(NativeCode, WithASuffixIsBound) {
    EXPECT_EQ(fit({"sm_90a"}, {}, "9.0"), CodeFit::native);
    EXPECT_EQ(fit({"sm_100a"}, {}, "10.3"), CodeFit::none);
    EXPECT_EQ(fit({"sm_100f"}, {}, "10.3"), CodeFit::native);
    EXPECT_EQ(fit({"sm_100f"}, {}, "12.0"), CodeFit::none);
}

TEST(NativeCode, IsNotSharedBetweenDesktopAndJetson) {
    EXPECT_EQ(fit({"sm_80", "sm_86"}, {}, "8.7"), CodeFit::none);
    EXPECT_EQ(fit({"sm_87"}, {}, "8.7"), CodeFit::native);
    EXPECT_EQ(fit({"sm_87"}, {}, "8.9"), CodeFit::none);
    EXPECT_EQ(fit({"sm_70"}, {}, "7.2"), CodeFit::none);
}

TEST(Ptx, IsForEverythingNewer) {
    EXPECT_EQ(fit({"sm_80"}, {"compute_80"}, "12.0"), CodeFit::ptx);
    EXPECT_EQ(fit({"sm_80", "compute_80"}, {}, "9.0"), CodeFit::ptx);
    EXPECT_EQ(fit({}, {"compute_120"}, "9.0"), CodeFit::none);
    EXPECT_EQ(fit({}, {"compute_90a"}, "10.0"), CodeFit::none);
    EXPECT_EQ(fit({"sm_120"}, {"compute_120"}, "12.0"), CodeFit::native);
}

TEST(Code, OfWhichNothingIsKnown) {
    EXPECT_EQ(fit({}, {}, "8.6"), CodeFit::unknown);
    EXPECT_EQ(fit({"gfx1100", "sm_", "sm_abc", "compute_99999999999"}, {}, "8.6"), CodeFit::unknown);
}

TEST(Wheels, BlackwellStartsWithTorch27AndCu128) {
    EXPECT_EQ(wheel_fit("2.6.0", "cu124", "linux_x86_64", "12.0"), CodeFit::none);
    EXPECT_EQ(wheel_fit("2.7.1", "cu128", "linux_x86_64", "12.0"), CodeFit::native);
    EXPECT_EQ(wheel_fit("2.7.0", "cu126", "linux_x86_64", "12.0"), CodeFit::none);
}

TEST(Wheels, WindowsHasListsOfItsOwn) {
    EXPECT_EQ(wheel_fit("2.7.0", "cu128", "linux_x86_64", "6.1"), CodeFit::none);
    EXPECT_EQ(wheel_fit("2.7.0", "cu128", "windows", "6.1"), CodeFit::native);
    EXPECT_EQ(torch_wheel_code(tables(), version("2.10.0"), "cu128", "windows")->confidence, "inferred");
}

TEST(Wheels, SeriesTenIsNotSeriesOne) {
    EXPECT_TRUE(torch_wheel_code(tables(), version("2.10.0"), "cu130", "linux_x86_64"));
    EXPECT_FALSE(torch_wheel_code(tables(), version("2.1.0"), "cu130", "linux_x86_64"));
    EXPECT_FALSE(torch_wheel_code(tables(), version("2.13.0"), "cu129", "linux_x86_64"))
        << "its list was not read";
    EXPECT_FALSE(torch_wheel_code(tables(), version("2.7.0"), "cu128", "playstation"));
}

TEST(Wheels, ADisputedCudnnDoesNotSpoilTheListOfCode) {
    EXPECT_EQ(torch_wheel_code(tables(), version("2.11.0"), "cu128", "linux_x86_64")->confidence, "primary");
    EXPECT_EQ(torch_wheel_cudnn(tables(), version("2.11.0"), "cu128"), std::nullopt);
    EXPECT_EQ(torch_wheel_cuda(tables(), version("2.13.0"), "cu130"), version("13.0.2"));
}

TEST(Tags, WithCodeForACard) {
    EXPECT_THAT(tags_with_code(tables(), version("2.8"), version("12.0"), "linux_x86_64"),
                ElementsAre("cu129", "cu128"));
    EXPECT_THAT(tags_with_code(tables(), version("2.14"), version("6.1"), "linux_x86_64"),
                ElementsAre("cu126"));
    EXPECT_THAT(tags_with_code(tables(), version("2.6"), version("12.0"), "linux_x86_64"), IsEmpty());
}

TEST(Newest, ForARecentCardAndDriver) {
    const std::optional<WheelChoice> choice =
        newest_torch_for(tables(), version("12.0"), version("595.45.04"), "linux_x86_64", version("3.12"));
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->torch, version("2.14.0")) << "2.14.1 and 2.15.0 were not read";
    EXPECT_EQ(choice->tag, "cu130") << "what plain pip installs";
    EXPECT_EQ(choice->torchvision, "0.29.0");
    EXPECT_EQ(choice->index_path, "whl/cu130");
}

TEST(Newest, PrefersACudaThatTheDriverServesInFull) {
    const std::optional<WheelChoice> choice =
        newest_torch_for(tables(), version("8.6"), version("580.65.06"), "windows", std::nullopt);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->tag, "cu130") << "cu132 would run too, without PTX";
}

TEST(Newest, IsNoReleaseWhoseTagsAreAssumed) {
    const std::string header =
        "version\tpython_min\tpython_max\ttorchvision\tcuda_tags\ttags_assumed\tsource\n";
    const std::string release = "2.14.9\t3.10\t3.14\t0.29.9\tcu130\t";
    const auto newest = [&](const std::string& assumed) {
        const Result<Knowledge> changed =
            Knowledge::load({{"torch_releases", header + release + assumed + "\tmine\n"}});
        return newest_torch_for(changed.value(), version("9.0"), std::nullopt, "linux_x86_64", std::nullopt)
            ->torch;
    };
    EXPECT_EQ(newest("no"), version("2.14.9"));
    EXPECT_EQ(newest("yes"), version("2.14.0"));
    EXPECT_EQ(newest("-"), version("2.14.0"));
}

TEST(Newest, IsBoundByTheDriver) {
    const std::optional<WheelChoice> blackwell =
        newest_torch_for(tables(), version("12.0"), version("570.86.10"), "linux_x86_64", std::nullopt);
    ASSERT_TRUE(blackwell);
    EXPECT_EQ(blackwell->torch, version("2.11.0"));
    EXPECT_EQ(blackwell->tag, "cu128");

    const std::optional<WheelChoice> ada =
        newest_torch_for(tables(), version("8.9"), version("535.183.01"), "linux_x86_64", std::nullopt);
    ASSERT_TRUE(ada);
    EXPECT_EQ(ada->torch, version("2.14.0"));
    EXPECT_EQ(ada->tag, "cu126");

    const std::optional<WheelChoice> ampere =
        newest_torch_for(tables(), version("8.6"), version("470.256.02"), "linux_x86_64", std::nullopt);
    ASSERT_TRUE(ampere);
    EXPECT_EQ(ampere->torch, version("2.7.1"));
    EXPECT_EQ(ampere->tag, "cu118");
}

TEST(Newest, IsBoundByTheCard) {
    const std::optional<WheelChoice> pascal =
        newest_torch_for(tables(), version("6.1"), version("580.65.06"), "linux_x86_64", std::nullopt);
    ASSERT_TRUE(pascal);
    EXPECT_EQ(pascal->tag, "cu126");
    EXPECT_EQ(newest_torch_for(tables(), version("8.7"), version("540.4"), "linux_aarch64", std::nullopt),
              std::nullopt)
        << "desktop wheels do not serve Jetson";
    EXPECT_EQ(newest_torch_for(tables(), version("2.1"), std::nullopt, "linux_x86_64", std::nullopt),
              std::nullopt);
}

TEST(Newest, IsBoundByCudnn) {
    const std::optional<WheelChoice> kepler =
        newest_torch_for(tables(), version("3.7"), version("470.256.02"), "linux_x86_64", std::nullopt);
    ASSERT_TRUE(kepler);
    EXPECT_EQ(kepler->torch, version("2.3.1")) << "cu118 has sm_37 code up to 2.7, its cuDNN 9 has none";
    EXPECT_EQ(kepler->tag, "cu118");
}

TEST(Newest, IsBoundByThePython) {
    const std::optional<WheelChoice> old =
        newest_torch_for(tables(), version("8.6"), version("580.65.06"), "linux_x86_64", version("3.8.10"));
    ASSERT_TRUE(old);
    EXPECT_EQ(old->torch, version("2.4.1"));
    EXPECT_EQ(old->torchvision, "0.19.1");
    const std::optional<WheelChoice> older =
        newest_torch_for(tables(), version("8.6"), version("580.65.06"), "linux_x86_64", version("3.6"));
    ASSERT_TRUE(older);
    EXPECT_EQ(older->torch, version("1.10.2"));
    EXPECT_EQ(older->index_form, "find_links");
    EXPECT_EQ(older->index_path, "whl/torch_stable.html");
    EXPECT_EQ(newest_torch_for(tables(), version("8.6"), std::nullopt, "linux_x86_64", version("2.7")),
              std::nullopt);
}

TEST(Companions, OfARelease) {
    EXPECT_EQ(torchvision_for(tables(), version("2.6.0")), "0.21.0");
    EXPECT_EQ(torchvision_for(tables(), version("2.14.1")), "");
    EXPECT_EQ(torchvision_for(tables(), version("9.9.9")), "");
}

}  // namespace
}  // namespace whygpu
