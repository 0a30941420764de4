#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "drivers/reply.h"

namespace whygpu {

/// A call to make: how it is named in the reply and which exported symbols may serve it.
struct Call {
    const char* name;                       ///< without version suffix; stays the same for all drivers
    std::vector<const char*> symbols = {};  ///< newest first, all of one signature; empty: `name` alone
    std::optional<int> device = {};         ///< index of the device that it is about
    int also_answer = 0;                    ///< a code besides 0 that comes with values
};

/// How to name the codes of a driver library.
struct CodeNames {
    /// The name of a code, "CUDA_ERROR_NO_DEVICE"; empty for a code that is not in our table.
    std::string_view (*in_table)(int code);
    /// What the loaded library itself says about a code: name, text or both; empty when it cannot say.
    std::string (*in_library)(void* library, int code);
};

/// A vendor's driver library, asked call by call, with every step written to the reply before the next
/// one starts.
class Driver {
public:
    Driver(const Reply& reply, CodeNames names) : reply_(reply), names_(names) {}

    /// Loads the library by soname, or from the directory of WSL; false when that failed.
    bool open(const char* soname);

    /// Makes a call: `invoke` gets the function and returns the code; on success `describe` adds values
    /// to the line. Returns the code, or nullopt when the library has no such symbol.
    template <class Function, class Invoke, class Describe>
    std::optional<int> call(const Call& what, Invoke invoke, Describe describe) {
        const Symbol symbol = begin(what);
        if (symbol.address == nullptr) {
            return std::nullopt;
        }
        const int code = invoke(reinterpret_cast<Function*>(symbol.address));
        Json line = answer_line(what, symbol, code);
        if (code == 0 || code == what.also_answer) {
            describe(line);
        }
        reply_.write(line);
        return code;
    }

    /// The same for a call whose code is all that it tells.
    template <class Function, class Invoke>
    std::optional<int> call(const Call& what, Invoke invoke) {
        return call<Function>(what, invoke, [](Json&) {});
    }

    /// Writes the outcome of a check of our own over several calls: a code, -1 for a wrong result, or
    /// nullopt when the library lacks one of the calls.
    void conclude(const char* check, std::optional<int> code);

private:
    struct Symbol {
        const char* name = nullptr;
        void* address = nullptr;
    };
    Symbol begin(const Call& what);
    Json answer_line(const Call& what, const Symbol& symbol, int code);
    bool open_file(const char* name);

    const Reply& reply_;
    CodeNames names_;
    void* library_ = nullptr;
};

}  // namespace whygpu
