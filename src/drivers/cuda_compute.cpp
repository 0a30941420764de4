#include <array>
#include <cstdint>

#include "drivers/cuda.h"

// The smallest proof that a GPU works for this process: a context, memory, a copy there and back, a
// kernel whose result is checked. The kernel is PTX, which the driver compiles for the card at hand, so
// that no list of architectures can be out of date. PTX 3.2 for sm_30 is accepted by every driver since
// 2013 (CUDA 5.5) for every card since Kepler. Source: PTX ISA, "Release notes" and ".target".

namespace whygpu {

namespace {

using DevicePointer = std::uint64_t;

constexpr int wrong_result = -1;
constexpr std::size_t words = 1024;          // 4 KiB
constexpr unsigned int kernel_threads = 64;  // the kernel reads words 0–63 and writes words 64–127

using Words = std::array<std::uint32_t, words>;

constexpr const char* kernel_name = "double_plus_one";
constexpr const char* kernel_ptx = R"(.version 3.2
.target sm_30
.address_size 64

.visible .entry double_plus_one(.param .u64 input, .param .u64 output)
{
    .reg .b32 %r<4>;
    .reg .b64 %a<6>;

    ld.param.u64 %a1, [input];
    ld.param.u64 %a2, [output];
    cvta.to.global.u64 %a1, %a1;
    cvta.to.global.u64 %a2, %a2;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %a3, %r1, 4;
    add.u64 %a4, %a1, %a3;
    add.u64 %a5, %a2, %a3;
    ld.global.u32 %r2, [%a4];
    mad.lo.u32 %r3, %r2, 2, 1;
    st.global.u32 [%a5], %r3;
    ret;
}
)";

// Differs in every byte position from word to word, so that shifted or repeated data is noticed.
Words pattern() {
    Words data{};
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<std::uint32_t>(i + 1) * 2654435761U;
    }
    return data;
}

std::optional<int> copy_to_device(Driver& cuda, DevicePointer there, const Words& data) {
    return cuda.call<int(DevicePointer, const void*, std::size_t)>(
        {"cuMemcpyHtoD", {"cuMemcpyHtoD_v2", "cuMemcpyHtoD"}},
        [&](auto* function) { return function(there, data.data(), sizeof(data)); });
}

std::optional<int> copy_from_device(Driver& cuda, Words& data, DevicePointer there) {
    return cuda.call<int(void*, DevicePointer, std::size_t)>(
        {"cuMemcpyDtoH", {"cuMemcpyDtoH_v2", "cuMemcpyDtoH"}},
        [&](auto* function) { return function(data.data(), there, sizeof(data)); });
}

std::optional<int> check_copy(Driver& cuda, DevicePointer memory) {
    const Words sent = pattern();
    Words received{};
    const std::optional<int> there = copy_to_device(cuda, memory, sent);
    if (there != 0) {
        return there;
    }
    const std::optional<int> back = copy_from_device(cuda, received, memory);
    if (back != 0) {
        return back;
    }
    return sent == received ? 0 : wrong_result;
}

std::optional<int> launch(Driver& cuda, void* kernel, DevicePointer memory) {
    using Launch = int(void* kernel, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                       unsigned int block_x, unsigned int block_y, unsigned int block_z,
                       unsigned int shared_bytes, void* stream, void** parameters, void** extra);
    DevicePointer input = memory;
    DevicePointer output = memory + kernel_threads * sizeof(std::uint32_t);
    std::array<void*, 2> parameters = {&input, &output};
    return cuda.call<Launch>({"cuLaunchKernel"}, [&](auto* function) {
        return function(kernel, 1, 1, 1, kernel_threads, 1, 1, 0, nullptr, parameters.data(), nullptr);
    });
}

// Runs the kernel of a loaded module on the pattern that check_copy left in memory.
std::optional<int> check_loaded_kernel(Driver& cuda, void* module, DevicePointer memory) {
    void* kernel = nullptr;
    const std::optional<int> found = cuda.call<int(void**, void*, const char*)>(
        {"cuModuleGetFunction"}, [&](auto* function) { return function(&kernel, module, kernel_name); });
    if (found != 0) {
        return found;
    }
    const std::optional<int> launched = launch(cuda, kernel, memory);
    if (launched != 0) {
        return launched;
    }
    const std::optional<int> ended =
        cuda.call<int()>({"cuCtxSynchronize"}, [](auto* function) { return function(); });
    if (ended != 0) {
        return ended;
    }
    Words result{};
    const std::optional<int> back = copy_from_device(cuda, result, memory);
    if (back != 0) {
        return back;
    }
    const Words sent = pattern();
    for (std::size_t i = 0; i < kernel_threads; ++i) {
        if (result[kernel_threads + i] != sent[i] * 2 + 1) {
            return wrong_result;
        }
    }
    return 0;
}

std::optional<int> check_kernel(Driver& cuda, DevicePointer memory) {
    void* module = nullptr;
    const std::optional<int> loaded = cuda.call<int(void**, const void*)>(
        {"cuModuleLoadData"}, [&](auto* function) { return function(&module, kernel_ptx); });
    if (loaded != 0) {
        return loaded;
    }
    const std::optional<int> result = check_loaded_kernel(cuda, module, memory);
    cuda.call<int(void*)>({"cuModuleUnload"}, [&](auto* function) { return function(module); });
    return result;
}

void check_memory(Driver& cuda) {
    DevicePointer memory = 0;
    const std::optional<int> allocated = cuda.call<int(DevicePointer*, std::size_t)>(
        {"cuMemAlloc", {"cuMemAlloc_v2", "cuMemAlloc"}},
        [&](auto* function) { return function(&memory, sizeof(Words)); });
    if (allocated != 0) {
        cuda.conclude("copy_check", allocated);
        return;
    }
    const std::optional<int> copied = check_copy(cuda, memory);
    cuda.conclude("copy_check", copied);
    // Where copies fail, a wrong kernel result would say nothing about kernels.
    if (copied == 0) {
        cuda.conclude("kernel_check", check_kernel(cuda, memory));
    }
    cuda.call<int(DevicePointer)>({"cuMemFree", {"cuMemFree_v2", "cuMemFree"}},
                                  [&](auto* function) { return function(memory); });
}

}  // namespace

void ask_cuda_to_compute(Driver& cuda, int device_handle) {
    // Not _v3 and _v4, whose parameters differ.
    void* context = nullptr;
    const std::optional<int> created = cuda.call<int(void**, unsigned int, int)>(
        {"cuCtxCreate", {"cuCtxCreate_v2", "cuCtxCreate"}},
        [&](auto* function) { return function(&context, 0, device_handle); });
    if (created != 0) {
        return;
    }
    check_memory(cuda);
    cuda.call<int(void*)>({"cuCtxDestroy", {"cuCtxDestroy_v2", "cuCtxDestroy"}},
                          [&](auto* function) { return function(context); });
}

}  // namespace whygpu
