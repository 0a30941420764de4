// `whygpu _ask hip` and `whygpu _ask opencl` against the fake libraries, and on to the facts.

#include <gtest/gtest.h>

#include <csignal>

#include "child.h"
#include "facts/facts.h"

namespace whygpu::probes::hip_driver {
void probe(Host& host, Facts& facts);
}
namespace whygpu::probes::opencl_driver {
void probe(Host& host, Facts& facts);
}

namespace whygpu::testing {
namespace {

// A machine with one display adapter of a maker, and what a driver child said.
class OneCard : public Host {
public:
    OneCard(std::string vendor, Answer driver) : vendor_(std::move(vendor)), driver_(std::move(driver)) {}
    Answer answer(const Query& query) override {
        Answer given;
        if (query.kind == QueryKind::driver) {
            ++asked;
            return driver_;
        }
        if (query.kind == QueryKind::directory) {
            given.text = "0000:03:00.0\n";
        } else if (query.argument.ends_with("/class")) {
            given.text = "0x030000\n";
        } else if (query.argument.ends_with("/vendor")) {
            given.text = "0x" + vendor_ + "\n";
        } else {
            given.missing = Missing::absent;
            given.because = "No such file or directory";
        }
        return given;
    }
    int asked = 0;

private:
    std::string vendor_;
    Answer driver_;
};

HipFacts hip_facts(const Child& child) {
    OneCard host("1002", child.as_answer());
    Facts facts;
    probes::hip_driver::probe(host, facts);
    return facts.hip;
}

OpenClFacts opencl_facts(const Child& child) {
    OneCard host("8086", child.as_answer());
    Facts facts;
    probes::opencl_driver::probe(host, facts);
    return facts.opencl;
}

TEST(AskHip, EightCards) {
    const HipFacts hip = hip_facts(ask("hip", "current", "hip_8gpu_mi300x"));
    EXPECT_TRUE(hip.library.known() && hip.library->ends_with("libamdhip64.so.6.2.60204"));
    EXPECT_TRUE(hip.init_code.is(0));
    EXPECT_TRUE(hip.driver_version.is("6.2.41134"));
    EXPECT_TRUE(hip.runtime_version.is("6.2.41134"));
    ASSERT_TRUE(hip.devices.known());
    ASSERT_EQ(hip.devices->size(), 8U);
    EXPECT_TRUE(hip.devices->back().name.is("AMD Instinct MI300X"));
    EXPECT_TRUE(hip.devices->back().gfx.is("gfx942"));
    EXPECT_TRUE(hip.devices->back().gfx_features.is("sramecc+:xnack-"));
    EXPECT_TRUE(hip.devices->back().memory_bytes.is(206141652992));
    EXPECT_TRUE(hip.devices->back().pci_address.is("0000:e5:00.0"));
    EXPECT_TRUE(hip.copy_code.is(0));
    EXPECT_EQ(hip.node_errors.why(), Missing::not_asked);
}

TEST(AskHip, LibraryOfRocm5HasTheTargetElsewhere) {
    const Child child = ask("hip", "old", "healthy_1gpu");
    EXPECT_TRUE(child.answer("dlopen").text("file").ends_with("libamdhip64.so.5.7.50703"));
    EXPECT_EQ(child.answer("hipGetDeviceProperties", 0).text("symbol"), "");
    EXPECT_EQ(child.answer("hipGetDeviceProperties", 0).text("gfx"), "gfx1100");
    EXPECT_TRUE(hip_facts(child).devices->front().gfx.is("gfx1100"));
}

TEST(AskHip, FailedStartIsFollowedByTheNodes) {
    const Child child = ask("hip", "current", "hip_no_device_100");
    EXPECT_EQ(child.answer("hipInit").text("name"), "hipErrorNoDevice");
    EXPECT_TRUE(child.has("open"));
    EXPECT_FALSE(child.has("hipGetDeviceCount"));
    const HipFacts hip = hip_facts(child);
    EXPECT_TRUE(hip.init_name.is("hipErrorNoDevice"));
    EXPECT_TRUE(hip.driver_version.known());
    EXPECT_EQ(hip.devices.why(), Missing::absent);
    EXPECT_TRUE(hip.node_errors.known());
}

TEST(AskHip, CrashWrongBytesAndNewCodes) {
    const Child crashed = ask("hip", "current", "hip_crash_in_init");
    EXPECT_EQ(crashed.signal, SIGSEGV);
    EXPECT_TRUE(hip_facts(crashed).failed_call.is("hipInit"));
    EXPECT_TRUE(hip_facts(ask("hip", "current", "hip_copy_wrong")).copy_code.is(-1));
    EXPECT_TRUE(hip_facts(ask("hip", "current", "hip_new_code")).init_name.is("hipErrorFromTheFuture"));
}

TEST(AskHip, NobodyAsksBesideAnotherMakersCard) {
    OneCard host("10de", Answer{});
    Facts facts;
    probes::hip_driver::probe(host, facts);
    EXPECT_EQ(host.asked, 0);
    EXPECT_EQ(facts.hip.devices.why(), Missing::not_asked);
}

TEST(AskOpenCl, ListsDevicesOfAllPlatforms) {
    const OpenClFacts opencl = opencl_facts(ask("opencl", "current", "opencl_cpu_and_gpu"));
    EXPECT_TRUE(opencl.platform_count.is(2));
    ASSERT_TRUE(opencl.devices.known());
    ASSERT_EQ(opencl.devices->size(), 2U);
    EXPECT_TRUE(opencl.devices->front().type.is("cpu"));
    EXPECT_TRUE(opencl.devices->front().platform.is("Portable Computing Language"));
    EXPECT_TRUE(opencl.devices->back().type.is("gpu"));
    EXPECT_TRUE(opencl.devices->back().name.is("Intel(R) Arc(TM) A770 Graphics"));
    EXPECT_TRUE(opencl.devices->back().vendor.is("Intel(R) Corporation"));
    EXPECT_TRUE(opencl.devices->back().driver_version.is("24.35.30872"));
    EXPECT_TRUE(opencl.devices->back().memory_bytes.is(16225243136));
}

TEST(AskOpenCl, NoPlatformAndEmptyPlatform) {
    const OpenClFacts none = opencl_facts(ask("opencl", "current", "opencl_no_platform"));
    EXPECT_TRUE(none.platforms_code.is(-1001));
    EXPECT_TRUE(none.platforms_name.is("CL_PLATFORM_NOT_FOUND_KHR"));
    EXPECT_EQ(none.devices.why(), Missing::absent);
    const OpenClFacts some = opencl_facts(ask("opencl", "current", "opencl_empty_platform"));
    ASSERT_TRUE(some.devices.known());
    EXPECT_EQ(some.devices->size(), 2U);
}

TEST(AskOpenCl, CrashNamesItsCall) {
    const OpenClFacts opencl = opencl_facts(ask("opencl", "current", "opencl_crash"));
    EXPECT_TRUE(opencl.failed_call.is("clGetDeviceIDs"));
    EXPECT_EQ(opencl.devices.why(), Missing::crashed);
}

TEST(AskOpenCl, NobodyAsksWhereAnotherLibraryTellsMore) {
    for (const char* vendor : {"10de", "1002", "1a03"}) {
        OneCard host(vendor, Answer{});
        Facts facts;
        probes::opencl_driver::probe(host, facts);
        EXPECT_EQ(host.asked, 0) << vendor;
        EXPECT_EQ(facts.opencl.library.why(), Missing::not_asked) << vendor;
    }
}

}  // namespace
}  // namespace whygpu::testing
