#include "knowledge/error_codes.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "knowledge/cudnn.h"
#include "knowledge/xid.h"
#include "tables_of_tests.h"

namespace whygpu {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ErrorCodes, ByNumber) {
    const std::optional<CodeMeaning> no_device = code_meaning(embedded_knowledge(), "cuda", 100);
    ASSERT_TRUE(no_device);
    EXPECT_EQ(no_device->name, "CUDA_ERROR_NO_DEVICE");
    EXPECT_EQ(no_device->runtime_name, "cudaErrorNoDevice");
    EXPECT_THAT(no_device->causes, Not(IsEmpty()));
    EXPECT_EQ(no_device->sticky, false);
    const std::optional<CodeMeaning> mismatch = code_meaning(embedded_knowledge(), "nvml", 18);
    ASSERT_TRUE(mismatch);
    EXPECT_EQ(mismatch->name, "NVML_ERROR_LIB_RM_VERSION_MISMATCH");
    EXPECT_EQ(mismatch->message, "Driver/library version mismatch");
    const std::optional<CodeMeaning> nccl = code_meaning(embedded_knowledge(), "nccl", 2);
    ASSERT_TRUE(nccl);
    EXPECT_EQ(nccl->name, "ncclSystemError");
    EXPECT_THAT(nccl->checks, Contains("NCCL_DEBUG=WARN"));
    EXPECT_FALSE(code_meaning(embedded_knowledge(), "cuda", 4242));
    EXPECT_FALSE(code_meaning(embedded_knowledge(), "opengl", 2));
}

TEST(ErrorCodes, ByName) {
    EXPECT_EQ(code_named(embedded_knowledge(), "cudaErrorNoKernelImageForDevice")->code, 209);
    EXPECT_EQ(code_named(embedded_knowledge(), "CUDA_ERROR_NO_BINARY_FOR_GPU")->library, "cuda");
    EXPECT_EQ(code_named(embedded_knowledge(), "cudaErrorInsufficientDriver")->name,
              "cudaErrorInsufficientDriver");
    EXPECT_EQ(code_named(embedded_knowledge(), "CUBLAS_STATUS_NOT_INITIALIZED")->library, "cublas");
    EXPECT_EQ(code_named(embedded_knowledge(), "CUDNN_STATUS_NOT_INITIALIZED")->library, "cudnn9");
    EXPECT_FALSE(code_named(embedded_knowledge(), "CUDA_ERROR"));
    EXPECT_FALSE(code_named(embedded_knowledge(), ""));
}

TEST(ErrorCodes, NumbersOfOldRuntimes) {
    EXPECT_EQ(code_since_cuda_10_1(embedded_knowledge(), 30), 999);
    EXPECT_EQ(code_since_cuda_10_1(embedded_knowledge(), 38), 100);
    EXPECT_FALSE(code_since_cuda_10_1(embedded_knowledge(), 4242));
}

TEST(Xids, OfGpusAndSwitches) {
    const std::optional<XidMeaning> off_the_bus = xid_meaning(embedded_knowledge(), 79);
    ASSERT_TRUE(off_the_bus);
    EXPECT_EQ(off_the_bus->severity, "fatal");
    EXPECT_TRUE(off_the_bus->common);
    EXPECT_THAT(off_the_bus->causes, Not(IsEmpty()));
    EXPECT_FALSE(xid_meaning(embedded_knowledge(), 4242));

    const std::optional<XidMeaning> switch_error = sxid_meaning(embedded_knowledge(), 24007);
    ASSERT_TRUE(switch_error);
    EXPECT_EQ(switch_error->severity, "fatal");
    EXPECT_EQ(switch_error->unit, "source tracking");
    const std::optional<XidMeaning> unheard_of = sxid_meaning(embedded_knowledge(), 19999);
    ASSERT_TRUE(unheard_of);
    EXPECT_EQ(unheard_of->severity, "");
    EXPECT_EQ(unheard_of->unit, "NVLink transaction layer");
    EXPECT_FALSE(sxid_meaning(embedded_knowledge(), 79));
}

std::optional<bool> serves(const char* cudnn, const char* cuda) {
    return cudnn_serves_cuda(embedded_knowledge(), *Version::parse(cudnn), *Version::parse(cuda));
}

TEST(Cudnn, CudaVersionsOfARelease) {
    EXPECT_EQ(serves("8.9.7", "12.2"), true);
    EXPECT_EQ(serves("8.9.7", "11.8"), true);
    EXPECT_EQ(serves("8.9.7", "12.4"), false);
    EXPECT_EQ(serves("8.2.1", "11.3"), true);
    EXPECT_EQ(serves("8.2.3", "11.3.1"), true);
    EXPECT_EQ(serves("9.5.1", "12.6.3"), true);
    EXPECT_EQ(serves("9.5.1", "12.8"), false);
    EXPECT_EQ(serves("9.10.2.21", "12.9"), true);
    EXPECT_EQ(serves("9.10.2.21", "13.0"), false);
    EXPECT_EQ(serves("9.13.0", "13.0"), true);
    EXPECT_EQ(serves("9.13.0", "11.8"), false);
    EXPECT_FALSE(serves("9.6.0", "12.6").has_value());
    EXPECT_FALSE(serves("4.0", "7.0").has_value());
}

TEST(Cudnn, CapabilitiesAndLibraries) {
    const Version pascal({6, 1});
    EXPECT_EQ(cudnn_serves_capability(embedded_knowledge(), Version({9, 10, 2}), pascal), true);
    EXPECT_EQ(cudnn_serves_capability(embedded_knowledge(), Version({9, 11}), pascal), false);
    EXPECT_FALSE(cudnn_serves_capability(embedded_knowledge(), Version({7, 6}), pascal));
    EXPECT_EQ(cudnn_soname(embedded_knowledge(), 9), "libcudnn.so.9");
    EXPECT_EQ(cudnn_soname(embedded_knowledge(), 3), "");
    EXPECT_EQ(cudnn_libraries(embedded_knowledge(), 9).front(), "libcudnn.so.9");
    EXPECT_THAT(cudnn_libraries(embedded_knowledge(), 9), Contains("libcudnn_ops.so.9"));
    EXPECT_THAT(cudnn_libraries(embedded_knowledge(), 3), IsEmpty());
}

}  // namespace
}  // namespace whygpu
