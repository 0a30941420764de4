#include "judge/assume.h"

#include <gtest/gtest.h>

#include "facts/access.h"
#include "knowledge/gpu_identity.h"
#include "knowledge/knowledge.h"

namespace whygpu {
namespace {

const Knowledge& tables() {
    static const Knowledge knowledge = Knowledge::load().value();
    return knowledge;
}

Facts assumed(const std::vector<std::string>& terms) {
    Facts facts;
    for (const std::string& term : terms) {
        const Result<void> done = assume(facts, tables(), term);
        EXPECT_TRUE(done.has_value()) << term << ": " << (done ? "" : done.error().message);
    }
    return facts;
}

TEST(Assume, ADriverBringsItsCudaItsModuleAndItsNodes) {
    const Facts facts = assumed({"driver.version=570.86.10"});
    EXPECT_TRUE(facts.nvml.driver_version.is("570.86.10"));
    EXPECT_TRUE(facts.cuda.driver_cuda.is("12.8"));
    EXPECT_EQ(facts.modules.loaded->size(), 2U);
    EXPECT_EQ(facts.nodes.nodes->size(), 3U);
}

TEST(Assume, ACardReplacesTheNvidiaCardsAlone) {
    Facts facts;
    PciFacts::Device old;
    old.vendor_id = Known<std::string>("10de");
    PciFacts::Device intel;
    intel.vendor_id = Known<std::string>("8086");
    facts.pci.gpus = Known<std::vector<PciFacts::Device>>({old, intel});
    ASSERT_TRUE(assume(facts, tables(), "gpu=NVIDIA GeForce RTX 5090").has_value());
    ASSERT_EQ(facts.pci.gpus->size(), 2U);
    const std::vector<Gpu> gpus = gpus_of(facts, tables());
    EXPECT_EQ(gpus.front().chip, "GB202");
    EXPECT_EQ(gpus.front().compute_capability, Version::parse("12.0"));
}

TEST(Assume, ATorchIsReadFromItsVersion) {
    EXPECT_TRUE(assumed({"torch=2.7.1+cu128"}).python.torch_cuda.is("12.8"));
    EXPECT_TRUE(assumed({"torch=2.7.1+cpu"}).python.torch_cuda.is("none"));
    EXPECT_TRUE(assumed({"torch=2.7.1+rocm6.3"}).python.torch_hip.is("6.3"));
}

TEST(Assume, AnyFactMayBeSetByItsPath) {
    const Facts facts =
        assumed({"kernel.secure_boot=true", "kernel.lockdown=integrity", "services.nvswitch_count=6"});
    EXPECT_TRUE(facts.kernel.secure_boot.is(true));
    EXPECT_TRUE(facts.kernel.lockdown.is("integrity"));
    EXPECT_TRUE(facts.services.nvswitch_count.is(6));
}

TEST(Assume, NonsenseIsRefused) {
    for (const char* const term :
         {"", "=", "driver.version", "driver.version=new", "torch=2.7", "gpu=RTX 9999", "kernal.release=1",
          "kernel.relase=1", "kernel.secure_boot=maybe", "foo=1"}) {
        Facts facts;
        EXPECT_FALSE(assume(facts, tables(), term).has_value()) << term;
    }
}

}  // namespace
}  // namespace whygpu
