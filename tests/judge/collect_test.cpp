#include "judge/collect.h"

#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "host/empty.h"

namespace whygpu {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> may_end{false};
std::atomic<int> ended{0};

void kernel_probe(Host&, Facts& facts) {
    facts.kernel.release = Known<std::string>("6.8.0");
    facts.os.id = Known<std::string>("not this probe's section");
}

void throwing_probe(Host&, Facts& facts) {
    facts.wsl.inside = Known<bool>(true);
    throw std::runtime_error("index out of range");
}

void hanging_probe(Host&, Facts& facts) {
    facts.pci.gpus = Known(std::vector<PciFacts::Device>{});
    while (!may_end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ++ended;
}

ProbeUnit unit(const std::string& section, ProbeFunction probe) {
    ProbeUnit made;
    made.document.section = section;
    made.probe = probe;
    return made;
}

std::shared_ptr<Host> nobody() {
    return std::shared_ptr<Host>(make_empty_host());
}

Clock::time_point in(int milliseconds) {
    return Clock::now() + std::chrono::milliseconds(milliseconds);
}

TEST(Collect, TakesFromEachProbeItsOwnSection) {
    const Facts facts = collect(nobody(), {unit("kernel", kernel_probe)}, in(20000));
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_EQ(facts.os.id.why(), Missing::not_asked);
}

TEST(Collect, WithoutProbesKnowsNothing) {
    EXPECT_EQ(collect(nobody(), {}, in(20000)).kernel.release.why(), Missing::not_asked);
}

TEST(Collect, ProbeThatThrowsLosesOnlyItsSection) {
    const Facts facts =
        collect(nobody(), {unit("wsl", throwing_probe), unit("kernel", kernel_probe)}, in(20000));
    ASSERT_FALSE(facts.wsl.inside.known());
    EXPECT_EQ(facts.wsl.inside.why(), Missing::crashed);
    EXPECT_THAT(facts.wsl.inside.because(), ::testing::HasSubstr("index out of range"));
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
}

TEST(Collect, ProbeThatHangsIsTimedOutAndDelaysNobody) {
    const std::shared_ptr<Host> host = nobody();
    const std::weak_ptr<Host> watched = host;
    const Clock::time_point started = Clock::now();
    const Facts facts = collect(host, {unit("pci", hanging_probe), unit("kernel", kernel_probe)}, in(1000));
    const auto elapsed = Clock::now() - started;
    EXPECT_GE(elapsed, std::chrono::milliseconds(900));
    EXPECT_LT(elapsed, std::chrono::seconds(10));
    EXPECT_EQ(facts.pci.gpus.why(), Missing::timed_out);
    EXPECT_TRUE(facts.kernel.release.is("6.8.0"));
    EXPECT_FALSE(watched.expired());
    may_end = true;
    while (ended == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

TEST(Collect, DeadlineThatIsOverGivesNothingAndReturns) {
    const Facts facts = collect(nobody(), {unit("pci", hanging_probe)}, in(-1));
    EXPECT_FALSE(facts.pci.gpus.known() && facts.pci.gpus->size() > 0);
}

}  // namespace
}  // namespace whygpu
