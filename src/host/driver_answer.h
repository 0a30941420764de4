#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "host/host.h"

namespace whygpu {

/// What a driver library said to our child, call by call (the lines are described in drivers/ask.h).
/// Lines that make no sense are passed over. Every question gives the value with its line as source, or
/// why there is none: the library is absent, the call is missing in it, it failed, the child died or hung
/// before, or the call was not reached.
class DriverAnswer {
public:
    /// Asks the host for "cuda", "nvml", "hip" or "opencl".
    static DriverAnswer ask(Host& host, const std::string& name);

    /// The library's file.
    Known<std::string> library() const;

    /// The code of a call, 0 for success, and its name. A call that was made more than once counts with
    /// its last answer.
    Known<std::int64_t> code(std::string_view call) const;
    Known<std::string> code_name(std::string_view call) const;

    /// A value that a call gave: "nvmlDeviceGetPowerUsage", "milliwatts"; `device` is the index of the
    /// device that the call is about, if it is about one. Numbers are never negative, text is never empty.
    Known<std::int64_t> number(std::string_view call, std::string_view key,
                               std::optional<int> device = {}) const;
    Known<std::string> text(std::string_view call, std::string_view key,
                            std::optional<int> device = {}) const;
    /// For the few numbers that may be negative.
    Known<std::int64_t> signed_number(std::string_view call, std::string_view key,
                                      std::optional<int> device = {}) const;
    Known<std::vector<std::string>> texts(std::string_view call, std::string_view key,
                                          std::optional<int> device = {}) const;

    /// A CUDA version, 12080, as text: "12.8".
    Known<std::string> cuda_version(std::string_view call) const;

    /// Whether a call about the device gave the code of that name (NVML_ERROR_GPU_IS_LOST).
    Known<bool> gave(std::string_view code_name, int device) const;
    /// How many devices a call counted, at most 64, which is as many as the child asks about; absent when
    /// the call that starts the library failed.
    Known<std::int64_t> device_count(std::string_view count_call, std::string_view start_call) const;

    /// A device node that could not be opened, with the name of its errno ("EACCES").
    struct NodeError {
        std::string path;
        std::string error;
        Source source;
    };
    /// Those that the child tried after the call that starts the library had failed: not asked when it did
    /// not try, empty when all of them open. A node is listed once.
    Known<std::vector<NodeError>> node_errors() const;

    /// The call in which the child crashed or hung; absent when none did.
    Known<std::string> failed_call() const;

private:
    struct Entry {
        std::string call;
        std::optional<std::int64_t> device;
        Json json;
        Source source;
    };
    struct Reason {
        Missing why = Missing::not_asked;
        std::string because;
    };
    /// Why a call that gave a code has no value.
    static Reason refusal(const Entry& entry);
    /// The entry of a call that has a code, or the reason why there is none.
    struct Reply {
        const Entry* entry = nullptr;
        Reason reason;
        Source source;
    };

    void read(const Answer& answer, const std::string& origin);
    Reason end_reason(const Answer& answer) const;
    const Entry* last(std::string_view call, std::optional<int> device) const;
    Reply reply(std::string_view call, std::optional<int> device) const;
    /// The member `key` of a reply as `read` takes it: a function from const Json& to a T or nothing.
    template <class T, class Read>
    Known<T> value(std::string_view call, std::string_view key, std::optional<int> device, Read read) const;

    std::vector<Entry> entries_;
    std::string unanswered_;  ///< the call that was begun last and did not come back
    Reason otherwise_;        ///< why a call has no entry
    Known<std::string> failed_call_;
};

}  // namespace whygpu
