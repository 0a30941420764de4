// Limits, wear, modes and partitions of NVML: from the fake library to the facts; and what is said about
// device nodes when CUDA does not start.

#include <gtest/gtest.h>

#include <algorithm>

#include "child.h"
#include "facts/facts.h"

namespace whygpu::probes::cuda_driver {
void probe(Host& host, Facts& facts);
}
namespace whygpu::probes::nvml_driver {
void probe(Host& host, Facts& facts);
}

namespace whygpu::testing {
namespace {

class OneAnswer : public Host {
public:
    explicit OneAnswer(Answer given) : given_(std::move(given)) {}
    Answer answer(const Query&) override { return given_; }

private:
    Answer given_;
};

NvmlFacts::Device first_card(const std::string& folder, const std::string& scenario) {
    OneAnswer host(ask("nvml", folder, scenario).as_answer());
    Facts facts;
    probes::nvml_driver::probe(host, facts);
    EXPECT_TRUE(facts.nvml.devices.known() && !facts.nvml.devices->empty());
    return facts.nvml.devices && !facts.nvml.devices->empty() ? facts.nvml.devices->front()
                                                              : NvmlFacts::Device{};
}

TEST(NvmlHealth, WornCard) {
    const NvmlFacts::Device card = first_card("current", "nvml_worn_card");
    EXPECT_TRUE(card.temperature_margin_c.is(-3));
    EXPECT_TRUE(card.shutdown_temperature_c.is(92));
    EXPECT_TRUE(card.slowdown_temperature_c.is(87));
    EXPECT_TRUE(card.memory_max_temperature_c.is(95));
    EXPECT_TRUE(card.operating_max_temperature_c.is(85));
    EXPECT_TRUE(card.power_default_w.is(400.0));
    EXPECT_TRUE(card.power_min_w.is(100.0));
    EXPECT_TRUE(card.power_max_w.is(400.0));
    EXPECT_TRUE(card.persistence_mode.is("disabled"));
    EXPECT_TRUE(card.ecc_mode.is("enabled"));
    EXPECT_TRUE(card.ecc_pending.is("disabled"));
    EXPECT_TRUE(card.remapped_correctable.is(2));
    EXPECT_TRUE(card.remapped_uncorrectable.is(7));
    EXPECT_TRUE(card.remap_pending.is(true));
    EXPECT_TRUE(card.remap_failed.is(true));
    EXPECT_TRUE(card.retired_single_bit.is(3));
    EXPECT_TRUE(card.retired_double_bit.is(60));
    EXPECT_TRUE(card.retirement_pending.is(true));
    EXPECT_TRUE(card.pcie_replays.is(4711));
    EXPECT_TRUE(card.nvlink_links.is(12));
    EXPECT_TRUE(card.nvlink_active.is(9));
    EXPECT_TRUE(card.fabric_state.is("in-progress"));
    EXPECT_TRUE(card.recovery_action.is("reset"));
}

TEST(NvmlHealth, HealthyCardHasNoWearAndNoLinks) {
    const NvmlFacts::Device card = first_card("current", "healthy_1gpu");
    EXPECT_TRUE(card.recovery_action.is("none"));
    EXPECT_TRUE(card.remap_pending.is(false));
    EXPECT_TRUE(card.retired_double_bit.is(0));
    EXPECT_TRUE(card.pcie_replays.is(0));
    EXPECT_EQ(card.nvlink_links.why(), Missing::unsupported);
    EXPECT_EQ(card.fabric_state.why(), Missing::unsupported);
    EXPECT_EQ(card.driver_model.why(), Missing::unsupported);
    EXPECT_EQ(card.mig_instances.why(), Missing::unsupported);
    EXPECT_EQ(card.ecc_pending.why(), Missing::unsupported);
}

TEST(NvmlHealth, MigInstancesAreCounted) {
    const NvmlFacts::Device card = first_card("current", "mig");
    EXPECT_TRUE(card.mig_pending.is("enabled"));
    EXPECT_TRUE(card.mig_instances.is(3));
}

TEST(NvmlHealth, OldLibraryHasNoneOfIt) {
    const NvmlFacts::Device card = first_card("old", "old_symbols");
    EXPECT_EQ(card.recovery_action.why(), Missing::unsupported);
    EXPECT_EQ(card.remap_pending.because(), "this driver library has no nvmlDeviceGetRemappedRows");
    EXPECT_EQ(card.temperature_margin_c.why(), Missing::unsupported);
    EXPECT_TRUE(card.name.known());
}

CudaFacts cuda_facts(Answer given) {
    OneAnswer host(std::move(given));
    Facts facts;
    probes::cuda_driver::probe(host, facts);
    return facts.cuda;
}

// Whatever nodes the machine under the test has: each of them is tried once, after cuInit and never when it
// succeeded.
TEST(NodeErrors, NodesAreTriedOnlyAfterAFailedStart) {
    const Child failed = ask("cuda", "current", "no_device");
    EXPECT_TRUE(failed.has("open"));
    EXPECT_TRUE(failed.answer("open").text("path").starts_with("/dev/"));
    EXPECT_NE(failed.answer("open").find("errno"), nullptr);
    EXPECT_TRUE(cuda_facts(failed.as_answer()).node_errors.known());
    const Child started = ask("cuda", "current", "healthy_1gpu");
    EXPECT_FALSE(started.has("open"));
    EXPECT_EQ(cuda_facts(started.as_answer()).node_errors.why(), Missing::not_asked);
}

TEST(NodeErrors, OpenNodesAreNoErrors) {
    Answer given;
    given.text =
        "{\"call\":\"dlopen\",\"file\":\"/usr/lib/libcuda.so.1\"}\n"
        "{\"call\":\"cuInit\",\"code\":100,\"name\":\"CUDA_ERROR_NO_DEVICE\"}\n"
        "{\"call\":\"open\",\"path\":\"/dev/nvidiactl\",\"errno\":0}\n"
        "{\"call\":\"open\",\"path\":\"/dev/nvidia0\",\"errno\":1,\"name\":\"EPERM\"}\n"
        "{\"call\":\"open\",\"path\":\"/dev/nvidia0\",\"errno\":1,\"name\":\"EPERM\"}\n"
        "{\"call\":\"open\",\"path\":\"/etc/shadow\",\"errno\":13,\"name\":\"EACCES\"}\n";
    const CudaFacts cuda = cuda_facts(given);
    ASSERT_TRUE(cuda.node_errors.known());
    ASSERT_EQ(cuda.node_errors->size(), 1U);
    EXPECT_TRUE(cuda.node_errors->front().path.is("/dev/nvidia0"));
    EXPECT_TRUE(cuda.node_errors->front().error.is("EPERM"));
    EXPECT_EQ(cuda.node_errors->front().error.source().text, "open(/dev/nvidia0) = EPERM");
    EXPECT_EQ(cuda.kernel_code.because(), "not tried after cuInit gave 100 CUDA_ERROR_NO_DEVICE");
}

}  // namespace
}  // namespace whygpu::testing
