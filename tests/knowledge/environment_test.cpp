#include "knowledge/environment.h"

#include <gtest/gtest.h>

#include "tables_of_tests.h"

namespace whygpu {
namespace {

using Kind = VariableStatus::Kind;

const Knowledge& tables() {
    return embedded_knowledge();
}

TEST(Variable, ThatIsRead) {
    const VariableStatus status = variable_status(tables(), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(status.kind, Kind::read);
    EXPECT_EQ(status.when, "first CUDA use");
    EXPECT_EQ(variable_status(tables(), "SLURM_JOB_ID").read_by, "Slurm");
    EXPECT_EQ(variable_status(tables(), "SLURM_").kind, Kind::read);
}

TEST(Variable, ThatGotAnotherName) {
    const VariableStatus status = variable_status(tables(), "NCCL_ASYNC_ERROR_HANDLING");
    EXPECT_EQ(status.kind, Kind::renamed);
    EXPECT_EQ(status.use_instead, "TORCH_NCCL_ASYNC_ERROR_HANDLING");
}

TEST(Variable, ThatNobodyReads) {
    const VariableStatus status = variable_status(tables(), "PYTORCH_CUDA_DEBUG");
    EXPECT_EQ(status.kind, Kind::unread);
    EXPECT_EQ(status.use_instead, "CUDA_LAUNCH_BLOCKING");
    EXPECT_EQ(variable_status(tables(), "CUDA_VISIBLE_DEVICE").use_instead, "CUDA_VISIBLE_DEVICES");
}

TEST(Variable, ThatIsNotInTheTable) {
    EXPECT_EQ(variable_status(tables(), "NV_CUDA_LIB_VERSION").kind, Kind::unknown);
    EXPECT_EQ(variable_status(tables(), "").kind, Kind::unknown);
    EXPECT_EQ(variable_status(tables(), "SLURM").kind, Kind::unknown);
}

TEST(Misspelling, IsTraced) {
    EXPECT_EQ(nearest_known(tables(), "CUDA_VISIBLE_DEVCIES"), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(nearest_known(tables(), "CUDA_VISIBEL_DEVCIES"), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(nearest_known(tables(), "CUDA_VISABLE_DEVICE"), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(nearest_known(tables(), "CUDA_VISIBLEDEVICES"), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(nearest_known(tables(), "NCCL_DEBUGS"), "NCCL_DEBUG");
    EXPECT_EQ(nearest_known(tables(), "TORCH_DISTRIBUTED_DEUBG"), "TORCH_DISTRIBUTED_DEBUG");
}

TEST(Misspelling, IsNotSeenInVariablesOfTheirOwn) {
    for (const char* name :
         {"NCCL_IB_TC", "CUDNN_PATH", "CUDA_VERSION", "CUDA_ROOT", "NCCL_MAX_NCHANNELS", "GMP_NUM_THREADS",
          "ROCM_HOME", "NCCL_NET", "HIP_PATH", "PYTORCH_HOME", "CUDA_BIN_PATH", ""}) {
        EXPECT_EQ(nearest_known(tables(), name), std::nullopt) << name;
    }
}

TEST(Misspelling, IsNotLookedForInWhatIsKnownOrEndless) {
    EXPECT_EQ(nearest_known(tables(), "CUDA_VISIBLE_DEVICES"), std::nullopt);
    EXPECT_EQ(nearest_known(tables(), "PYTORCH_CUDA_DEBUG"), std::nullopt);
    EXPECT_EQ(nearest_known(tables(), std::string(100000, 'A')), std::nullopt);
}

}  // namespace
}  // namespace whygpu
