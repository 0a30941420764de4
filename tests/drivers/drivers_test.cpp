// `whygpu _ask cuda` and `whygpu _ask nvml` against the fake driver libraries of tests/fake_drivers.

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "child.h"

namespace whygpu::testing {
namespace {

constexpr std::int64_t success = 0;

std::int64_t number(const Json& line, std::string_view key) {
    const Json* member = line.find(key);
    return member != nullptr && member->as_int() != nullptr ? *member->as_int() : -1;
}

bool lacks_symbol(const Child& child, std::string_view call) {
    return child.answer(call).find("missing_symbol") != nullptr;
}

// A folder of its own for each test, removed afterwards.
class Folder {
public:
    Folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "whygpu-drivers-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// The real fake with two bytes of its ELF header changed.
std::string patched_library(const std::string& folder, std::size_t at, const std::string& bytes) {
    const std::string path = folder + "/libcuda.so.1";
    std::filesystem::copy_file(std::string(FAKE_DRIVER_DIR) + "/current/libcuda.so.1", path);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << bytes;
    return path;
}

// ---- CUDA ----

TEST(AskCuda, HealthyCardAnswersEveryCall) {
    const Child child = ask("cuda", "current", "healthy_1gpu");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.code("cuInit"), success);
    EXPECT_EQ(child.answer("cuInit").text("name"), "CUDA_SUCCESS");
    EXPECT_EQ(number(child.answer("cuDriverGetVersion"), "version"), 12080);
    EXPECT_EQ(number(child.answer("cuDeviceGetCount"), "count"), 1);
    EXPECT_EQ(child.answer("cuDeviceGetName", 0).text("device_name"), "NVIDIA GeForce RTX 5090");
    EXPECT_EQ(child.answer("cuDeviceGetAttribute", 0).text("compute_capability"), "12.0");
    EXPECT_EQ(number(child.answer("cuDeviceTotalMem", 0), "bytes"), 34190458880);
    EXPECT_EQ(child.answer("cuDeviceTotalMem", 0).text("symbol"), "cuDeviceTotalMem_v2");
    EXPECT_EQ(child.answer("cuDeviceGetPCIBusId", 0).text("pci_address"), "0000:01:00.0");
    EXPECT_EQ(child.code("copy_check"), success);
    EXPECT_EQ(child.code("kernel_check"), success);
    EXPECT_EQ(child.code("cuMemFree"), success);
    EXPECT_EQ(child.code("cuCtxDestroy"), success);
}

TEST(AskCuda, NamesTheFileBehindTheLinks) {
    const Child child = ask("cuda", "current", "healthy_1gpu");
    const std::string wanted =
        std::filesystem::canonical(std::string(FAKE_DRIVER_DIR) + "/current/libcuda.so.1");
    EXPECT_EQ(child.answer("dlopen").text("file"), wanted);
    EXPECT_EQ(child.answer("dlopen").text("library"), "libcuda.so.1");
    EXPECT_TRUE(wanted.ends_with("libcuda.so.570.86.10")) << wanted;
}

TEST(AskCuda, EveryAnswerFollowsItsBegin) {
    const Child child = ask("cuda", "current", "healthy_8gpu_h100");
    std::string begun;
    for (const Json& line : child.lines) {
        const std::string call = line.text("call");
        if (line.find("begin") != nullptr) {
            EXPECT_EQ(begun, "");
            begun = line.text("begin");
        } else if (!call.ends_with("_check")) {
            EXPECT_EQ(call, begun);
            begun.clear();
        }
    }
    EXPECT_GT(child.lines.size(), 80U);
}

TEST(AskCuda, ListsAllOfEightCards) {
    const Child child = ask("cuda", "current", "healthy_8gpu_h100");
    EXPECT_EQ(number(child.answer("cuDeviceGetCount"), "count"), 8);
    for (int device = 0; device < 8; ++device) {
        EXPECT_EQ(child.answer("cuDeviceGetName", device).text("device_name"), "NVIDIA H100 80GB HBM3");
        EXPECT_EQ(child.answer("cuDeviceGetAttribute", device).text("compute_capability"), "9.0");
    }
    EXPECT_EQ(child.answer("cuDeviceGetPCIBusId", 1).text("pci_address"), "0000:3b:00.0");
    EXPECT_EQ(child.answer("cuDeviceGetPCIBusId", 7).text("pci_address"), "0000:db:00.0");
}

struct InitFailure {
    const char* scenario;
    int code;
    const char* name;
};

class AskCudaInit : public ::testing::TestWithParam<InitFailure> {};

TEST_P(AskCudaInit, FailureIsTheLastAnswer) {
    const Child child = ask("cuda", "current", GetParam().scenario);
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.code("cuInit"), GetParam().code);
    EXPECT_EQ(child.answer("cuInit").text("name"), GetParam().name);
    EXPECT_TRUE(child.has("cuDriverGetVersion"));
    EXPECT_FALSE(child.has("cuDeviceGetCount"));
    EXPECT_FALSE(child.has("cuCtxCreate"));
}

INSTANTIATE_TEST_SUITE_P(
    Codes, AskCudaInit,
    ::testing::Values(InitFailure{"no_device", 100, "CUDA_ERROR_NO_DEVICE"},
                      InitFailure{"stub", 34, "CUDA_ERROR_STUB_LIBRARY"},
                      InitFailure{"mismatch_803", 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
                      InitFailure{"compat_804", 804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
                      InitFailure{"not_ready_802", 802, "CUDA_ERROR_SYSTEM_NOT_READY"},
                      InitFailure{"unknown_999", 999, "CUDA_ERROR_UNKNOWN"},
                      InitFailure{"os_304", 304, "CUDA_ERROR_OPERATING_SYSTEM"},
                      InitFailure{"new_code", 12345, "CUDA_ERROR_FROM_THE_FUTURE"}),
    [](const auto& each) { return std::string(each.param.scenario); });

TEST(AskCuda, CrashLeavesTheLinesBeforeIt) {
    const Child in_init = ask("cuda", "current", "crash_in_init");
    EXPECT_EQ(in_init.signal, SIGSEGV);
    EXPECT_EQ(in_init.unanswered(), "cuInit");
    EXPECT_EQ(number(in_init.answer("cuDriverGetVersion"), "version"), 12080);

    const Child in_context = ask("cuda", "current", "crash_in_context");
    EXPECT_EQ(in_context.signal, SIGSEGV);
    EXPECT_EQ(in_context.unanswered(), "cuCtxCreate");
    EXPECT_TRUE(in_context.has("cuDeviceGetPCIBusId", 1));
    EXPECT_FALSE(in_context.has("copy_check"));
}

TEST(AskCuda, HangCanBeKilledAndNamesItsCall) {
    const Child child = ask("cuda", "current", "hang_in_init", 1000);
    EXPECT_TRUE(child.timed_out);
    EXPECT_EQ(child.unanswered(), "cuInit");
    EXPECT_TRUE(child.has("dlopen"));
}

TEST(AskCuda, LibraryThatEndsTheProcessNamesItsCall) {
    const Child child = ask("cuda", "current", "exit_in_count");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.unanswered(), "cuDeviceGetCount");
}

TEST(AskCuda, OldSymbolsStillGiveDevices) {
    const Child child = ask("cuda", "old", "old_symbols");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(number(child.answer("cuDeviceGetCount"), "count"), 2);
    EXPECT_EQ(child.answer("cuDeviceGetName", 1).text("device_name"), "Tesla C2050");
    EXPECT_EQ(number(child.answer("cuDeviceTotalMem", 1), "bytes"), 2817982464);
    EXPECT_EQ(child.answer("cuDeviceTotalMem", 1).text("symbol"), "");
    EXPECT_TRUE(lacks_symbol(child, "cuDeviceGetPCIBusId"));
    EXPECT_EQ(child.code("copy_check"), success);
    EXPECT_TRUE(lacks_symbol(child, "cuLaunchKernel"));
    EXPECT_TRUE(lacks_symbol(child, "kernel_check"));
}

TEST(AskCuda, WrongBytesFailTheCopyCheckAndEndThere) {
    const Child child = ask("cuda", "current", "copy_wrong");
    EXPECT_EQ(child.code("copy_check"), -1);
    EXPECT_FALSE(child.has("kernel_check"));
    EXPECT_EQ(child.code("cuCtxDestroy"), success);
}

TEST(AskCuda, WrongResultsFailTheKernelCheckOnly) {
    const Child child = ask("cuda", "current", "kernel_wrong");
    EXPECT_EQ(child.code("copy_check"), success);
    EXPECT_EQ(child.code("kernel_check"), -1);
}

TEST(AskCuda, FailedAllocationIsTheCodeOfTheCopyCheck) {
    const Child child = ask("cuda", "current", "out_of_memory");
    EXPECT_EQ(child.code("cuCtxCreate"), success);
    EXPECT_EQ(child.answer("copy_check").text("name"), "CUDA_ERROR_OUT_OF_MEMORY");
    EXPECT_FALSE(child.has("cuMemFree"));
}

// ---- loading ----

TEST(AskDriver, AbsentLibraryIsAnAnswer) {
    const Folder empty;
    for (const char* driver : {"cuda", "nvml"}) {
        const Child child = ask(driver, empty.path(), "");
        if (child.answer("dlopen").text("reason").empty()) {
            GTEST_SKIP() << "this machine has a driver of its own";
        }
        EXPECT_EQ(child.exit_code, 0);
        EXPECT_EQ(child.answer("dlopen").text("reason"), "absent");
        EXPECT_NE(child.answer("dlopen").text("error"), "");
        EXPECT_EQ(child.lines.size(), 2U);
    }
}

TEST(AskDriver, FileOfAnotherProcessorIsNotAbsent) {
    const Folder folder;
    const std::string machine = {static_cast<char>(EM_PPC64), '\0'};
    const std::string path = patched_library(folder.path(), offsetof(Elf64_Ehdr, e_machine), machine);
    const Child child = ask("cuda", folder.path(), "");
    if (child.answer("dlopen").text("error").empty()) {
        GTEST_SKIP() << "this machine has a driver of its own";
    }
    EXPECT_EQ(child.answer("dlopen").text("reason"), "wrong-architecture");
    EXPECT_EQ(child.answer("dlopen").text("file"), path);
}

TEST(AskDriver, FileOfThe32BitKindIsNotAbsent) {
    const Folder folder;
    patched_library(folder.path(), EI_CLASS, std::string(1, static_cast<char>(ELFCLASS32)));
    const Child child = ask("cuda", folder.path(), "");
    if (child.answer("dlopen").text("error").empty()) {
        GTEST_SKIP() << "this machine has a driver of its own";
    }
    EXPECT_EQ(child.answer("dlopen").text("reason"), "wrong-architecture");
}

TEST(AskDriver, FileThatIsNoLibraryIsNeitherAbsentNorForeign) {
    const Folder folder;
    std::ofstream(folder.path() + "/libcuda.so.1") << "this is text, as a failed download leaves it\n";
    const Child child = ask("cuda", folder.path(), "");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.answer("dlopen").text("reason"), "other");
    EXPECT_EQ(child.lines.size(), 2U);
}

TEST(AskDriver, UnknownNameIsRefused) {
    const Child child = ask("opengl", "current", "healthy_1gpu");
    EXPECT_EQ(child.exit_code, 2);
    EXPECT_TRUE(child.lines.empty());
}

// ---- NVML ----

TEST(AskNvml, HealthyCardAnswersEveryCall) {
    const Child child = ask("nvml", "current", "healthy_1gpu");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.code("nvmlInit"), success);
    EXPECT_EQ(child.answer("nvmlSystemGetDriverVersion").text("version"), "570.86.10");
    EXPECT_EQ(child.answer("nvmlSystemGetNVMLVersion").text("version"), "12.570.86.10");
    EXPECT_EQ(number(child.answer("nvmlSystemGetCudaDriverVersion"), "version"), 12080);
    EXPECT_EQ(child.answer("nvmlDeviceGetName", 0).text("device_name"), "NVIDIA GeForce RTX 5090");
    EXPECT_EQ(child.answer("nvmlDeviceGetPciInfo", 0).text("pci_address"), "0000:01:00.0");
    EXPECT_EQ(number(child.answer("nvmlDeviceGetMemoryInfo", 0), "total_bytes"), 34190458880);
    EXPECT_EQ(number(child.answer("nvmlDeviceGetMemoryInfo", 0), "used_bytes"), 612368384);
    EXPECT_EQ(child.answer("nvmlDeviceGetMemoryInfo", 0).text("symbol"), "nvmlDeviceGetMemoryInfo_v2");
    EXPECT_EQ(number(child.answer("nvmlDeviceGetTemperature", 0), "celsius"), 38);
    EXPECT_EQ(number(child.answer("nvmlDeviceGetTemperatureThreshold", 0), "celsius"), 90);
    EXPECT_EQ(number(child.answer("nvmlDeviceGetPowerUsage", 0), "milliwatts"), 31250);
    EXPECT_EQ(number(child.answer("nvmlDeviceGetMaxClockInfo", 0), "megahertz"), 3090);
    EXPECT_EQ(child.answer("nvmlDeviceGetCurrentClocksEventReasons", 0).texts("reasons"),
              std::vector<std::string>{"gpu-idle"});
    EXPECT_EQ(number(child.answer("nvmlDeviceGetCurrPcieLinkGeneration", 0), "generation"), 1);
    EXPECT_EQ(child.answer("nvmlDeviceGetEccMode", 0).text("name"), "NVML_ERROR_NOT_SUPPORTED");
    EXPECT_EQ(child.answer("nvmlDeviceGetEccMode", 0).find("current"), nullptr);
    EXPECT_EQ(child.code("nvmlShutdown"), success);
}

TEST(AskNvml, CountsProcessesWithoutListingThem) {
    const Child busy = ask("nvml", "current", "healthy_1gpu");
    EXPECT_EQ(busy.answer("nvmlDeviceGetComputeRunningProcesses", 0).text("name"),
              "NVML_ERROR_INSUFFICIENT_SIZE");
    EXPECT_EQ(number(busy.answer("nvmlDeviceGetComputeRunningProcesses", 0), "count"), 2);
    const Child idle = ask("nvml", "current", "nvml_gpu_lost_15");
    EXPECT_EQ(number(idle.answer("nvmlDeviceGetComputeRunningProcesses", 0), "count"), 0);
}

TEST(AskNvml, ListsAllOfEightCards) {
    const Child child = ask("nvml", "current", "healthy_8gpu_h100");
    for (int device = 0; device < 8; ++device) {
        EXPECT_EQ(child.answer("nvmlDeviceGetName", device).text("device_name"), "NVIDIA H100 80GB HBM3");
        EXPECT_EQ(number(child.answer("nvmlDeviceGetUtilizationRates", device), "gpu_percent"), 97);
    }
    EXPECT_EQ(child.answer("nvmlDeviceGetPciInfo", 7).text("pci_address"), "0000:db:00.0");
}

TEST(AskNvml, InitFailureStillTellsTheVersionOfTheLibrary) {
    const Child mismatch = ask("nvml", "current", "nvml_mismatch_18");
    EXPECT_EQ(mismatch.code("nvmlInit"), 18);
    EXPECT_EQ(mismatch.answer("nvmlInit").text("name"), "NVML_ERROR_LIB_RM_VERSION_MISMATCH");
    EXPECT_EQ(mismatch.answer("nvmlSystemGetNVMLVersion").text("version"), "12.570.86.10");
    EXPECT_FALSE(mismatch.has("nvmlDeviceGetCount"));
    const Child not_loaded = ask("nvml", "current", "nvml_driver_not_loaded_9");
    EXPECT_EQ(not_loaded.answer("nvmlInit").text("name"), "NVML_ERROR_DRIVER_NOT_LOADED");
    const Child unheard_of = ask("nvml", "current", "new_code");
    EXPECT_EQ(unheard_of.answer("nvmlInit").text("name"), "Text Of The Library");
}

TEST(AskNvml, LostCardDoesNotHideTheOther) {
    const Child child = ask("nvml", "current", "nvml_gpu_lost_15");
    EXPECT_EQ(child.answer("nvmlDeviceGetHandleByIndex", 1).text("name"), "NVML_ERROR_GPU_IS_LOST");
    EXPECT_TRUE(child.has("nvmlDeviceGetName", 0));
    EXPECT_FALSE(child.has("nvmlDeviceGetName", 1));
    EXPECT_EQ(child.code("nvmlShutdown"), success);
}

TEST(AskNvml, MigModeAndRefusedCalls) {
    const Child child = ask("nvml", "current", "mig");
    EXPECT_EQ(number(child.answer("nvmlDeviceGetMigMode", 0), "current"), 1);
    EXPECT_EQ(child.answer("nvmlDeviceGetUtilizationRates", 0).text("name"), "NVML_ERROR_NOT_SUPPORTED");
    EXPECT_EQ(child.answer("nvmlDeviceGetComputeRunningProcesses", 0).text("name"),
              "NVML_ERROR_NO_PERMISSION");
}

TEST(AskNvml, OldSymbolsStillGiveDevices) {
    const Child child = ask("nvml", "old", "old_symbols");
    EXPECT_EQ(child.exit_code, 0);
    EXPECT_EQ(child.answer("nvmlDeviceGetName", 1).text("device_name"), "Tesla C2050");
    EXPECT_EQ(child.answer("nvmlDeviceGetPciInfo", 1).text("pci_address"), "0000:02:00.0");
    EXPECT_EQ(number(child.answer("nvmlDeviceGetMemoryInfo", 1), "total_bytes"), 2817982464);
    EXPECT_EQ(child.answer("nvmlDeviceGetCurrentClocksEventReasons", 0).text("symbol"),
              "nvmlDeviceGetCurrentClocksThrottleReasons");
    EXPECT_TRUE(lacks_symbol(child, "nvmlDeviceGetMigMode"));
    EXPECT_TRUE(lacks_symbol(child, "nvmlSystemGetCudaDriverVersion"));
}

TEST(AskNvml, CrashAndHangNameTheirCall) {
    const Child crashed = ask("nvml", "current", "crash_in_init");
    EXPECT_EQ(crashed.signal, SIGSEGV);
    EXPECT_EQ(crashed.unanswered(), "nvmlInit");
    EXPECT_TRUE(crashed.has("nvmlSystemGetNVMLVersion"));
    const Child hung = ask("nvml", "current", "hang_in_init", 1000);
    EXPECT_TRUE(hung.timed_out);
    EXPECT_EQ(hung.unanswered(), "nvmlInit");
}

}  // namespace
}  // namespace whygpu::testing
