// From the fake libraries through the child's lines to the facts.

#include <gtest/gtest.h>

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
    Answer answer(const Query& query) override {
        EXPECT_EQ(query.kind, QueryKind::driver);
        return given_;
    }

private:
    Answer given_;
};

CudaFacts cuda_facts(const std::string& folder, const std::string& scenario, int timeout_ms = 20000) {
    OneAnswer host(ask("cuda", folder, scenario, timeout_ms).as_answer());
    Facts facts;
    probes::cuda_driver::probe(host, facts);
    return facts.cuda;
}

NvmlFacts nvml_facts(const std::string& folder, const std::string& scenario) {
    OneAnswer host(ask("nvml", folder, scenario).as_answer());
    Facts facts;
    probes::nvml_driver::probe(host, facts);
    return facts.nvml;
}

TEST(CudaFactsOf, HealthyCard) {
    const CudaFacts cuda = cuda_facts("current", "healthy_1gpu");
    EXPECT_TRUE(cuda.library.known() && cuda.library->ends_with("libcuda.so.570.86.10"));
    EXPECT_TRUE(cuda.init_code.is(0));
    EXPECT_TRUE(cuda.driver_cuda.is("12.8"));
    ASSERT_TRUE(cuda.devices.known());
    ASSERT_EQ(cuda.devices->size(), 1U);
    EXPECT_TRUE(cuda.devices->front().compute_capability.is("12.0"));
    EXPECT_TRUE(cuda.context_code.is(0));
    EXPECT_TRUE(cuda.copy_code.is(0));
    EXPECT_TRUE(cuda.kernel_code.is(0));
    EXPECT_EQ(cuda.failed_call.why(), Missing::absent);
    EXPECT_EQ(cuda.init_code.source().origin, "whygpu _ask cuda");
    EXPECT_GT(cuda.init_code.source().line, 0);
}

TEST(CudaFactsOf, EightCards) {
    const CudaFacts cuda = cuda_facts("current", "healthy_8gpu_h100");
    ASSERT_TRUE(cuda.devices.known());
    ASSERT_EQ(cuda.devices->size(), 8U);
    EXPECT_TRUE(cuda.devices->back().pci_address.is("0000:db:00.0"));
}

TEST(CudaFactsOf, FailedInit) {
    const CudaFacts cuda = cuda_facts("current", "mismatch_803");
    EXPECT_TRUE(cuda.init_code.is(803));
    EXPECT_TRUE(cuda.init_name.is("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
    EXPECT_EQ(cuda.devices.why(), Missing::absent);
    EXPECT_EQ(cuda.kernel_code.why(), Missing::not_asked);
    EXPECT_FALSE(cuda_facts("current", "stub").driver_cuda.known());
}

TEST(CudaFactsOf, CrashAndHang) {
    const CudaFacts crashed = cuda_facts("current", "crash_in_context");
    EXPECT_TRUE(crashed.failed_call.is("cuCtxCreate"));
    EXPECT_EQ(crashed.devices->size(), 2U);
    EXPECT_EQ(crashed.context_code.why(), Missing::crashed);
    const CudaFacts hung = cuda_facts("current", "hang_in_init", 1000);
    EXPECT_TRUE(hung.failed_call.is("cuInit"));
    EXPECT_EQ(hung.init_code.why(), Missing::timed_out);
    EXPECT_TRUE(hung.driver_cuda.is("12.8"));
    const CudaFacts ended = cuda_facts("current", "exit_in_count");
    EXPECT_TRUE(ended.failed_call.is("cuDeviceGetCount"));
    EXPECT_EQ(ended.devices.why(), Missing::crashed);
}

TEST(CudaFactsOf, OldLibraryCannotSayEverything) {
    const CudaFacts cuda = cuda_facts("old", "old_symbols");
    ASSERT_EQ(cuda.devices->size(), 2U);
    EXPECT_TRUE(cuda.devices->front().memory_bytes.is(2817982464));
    EXPECT_EQ(cuda.devices->front().pci_address.why(), Missing::unsupported);
    EXPECT_EQ(cuda.kernel_code.why(), Missing::unsupported);
    EXPECT_TRUE(cuda.driver_cuda.is("4.0"));
}

TEST(NvmlFactsOf, EightBusyCards) {
    const NvmlFacts nvml = nvml_facts("current", "healthy_8gpu_h100");
    ASSERT_TRUE(nvml.devices.known());
    ASSERT_EQ(nvml.devices->size(), 8U);
    const NvmlFacts::Device& last = nvml.devices->back();
    EXPECT_TRUE(last.power_w.is(698.0));
    EXPECT_TRUE(last.clock_reasons.is({"sw-power-cap"}));
    EXPECT_TRUE(last.ecc_mode.is("enabled"));
    EXPECT_TRUE(last.mig_mode.is("disabled"));
    EXPECT_TRUE(last.process_count.is(1));
}

TEST(NvmlFactsOf, LostCardKeepsItsPlace) {
    const NvmlFacts nvml = nvml_facts("current", "nvml_gpu_lost_15");
    ASSERT_EQ(nvml.devices->size(), 2U);
    EXPECT_TRUE(nvml.devices->front().name.known());
    EXPECT_EQ(nvml.devices->back().name.because(),
              "nvmlDeviceGetHandleByIndex gave 15 NVML_ERROR_GPU_IS_LOST");
}

TEST(NvmlFactsOf, RefusalsKeepTheirKind) {
    const NvmlFacts nvml = nvml_facts("current", "mig");
    const NvmlFacts::Device& card = nvml.devices->front();
    EXPECT_TRUE(card.mig_mode.is("enabled"));
    EXPECT_EQ(card.utilisation_percent.why(), Missing::unsupported);
    EXPECT_EQ(card.process_count.why(), Missing::denied);
}

TEST(NvmlFactsOf, ForeignAndEmptyAnswers) {
    Answer empty;
    empty.exit_code = 2;
    OneAnswer host(empty);
    Facts facts;
    probes::nvml_driver::probe(host, facts);
    EXPECT_EQ(facts.nvml.library.why(), Missing::malformed);
    EXPECT_EQ(facts.nvml.failed_call.why(), Missing::absent);

    Answer hostile;
    hostile.text =
        "{\"call\":\"dlopen\",\"file\":7}\n{\"call\":\"nvmlDeviceGetCount\",\"code\":0,\"count\":999999999}"
        "\n";
    OneAnswer hostile_host(hostile);
    probes::nvml_driver::probe(hostile_host, facts);
    EXPECT_EQ(facts.nvml.devices->size(), 64U);
    EXPECT_EQ(facts.nvml.library.why(), Missing::malformed);
}

}  // namespace
}  // namespace whygpu::testing
