#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whygpu {

class Knowledge;

/// What is known about a status code of a driver or library.
struct CodeMeaning {
    std::string library;       ///< cuda, nvml, cublas, cudnn8, cudnn9, cufft, curand, cusolver, cusparse, …
    std::int64_t code = 0;     ///< CUDA: the number since 10.1, where driver and runtime agree
    std::string name;          ///< CUDA_ERROR_NO_DEVICE; the runtime's where only that has the code
    std::string runtime_name;  ///< CUDA only: cudaErrorNoDevice; "" where only the driver has the code
    std::string message;       ///< the library's own text, to recognise; "" when it has none
    std::string meaning;
    std::vector<std::string> causes;  ///< most usual first; may be empty
    std::vector<std::string> checks;  ///< what to look at; may be empty
    std::optional<bool> sticky;       ///< CUDA only: the process cannot go on
    std::string causes_confidence;    ///< of causes and checks
    std::string confidence;           ///< of the rest
    std::string source;               ///< keys of table sources, comma-separated
};

/// By library and number: ("cuda", 100), ("nvml", 9), ("nccl", 2). Empty for a code that is not known.
std::optional<CodeMeaning> code_meaning(const Knowledge& tables, std::string_view library, std::int64_t code);

/// By name: CUresult, cudaError_t, nvmlReturn_t or a library's status, exactly as it is written. A name of
/// cuDNN that both 8 and 9 have is that of 9.
std::optional<CodeMeaning> code_named(const Knowledge& tables, std::string_view name);

/// What a number of cudaError_t from before CUDA 10.1 ("error 30" in an old log) is today; empty when the
/// table does not have it.
std::optional<std::int64_t> code_since_cuda_10_1(const Knowledge& tables, std::int64_t old_code);

}  // namespace whygpu
