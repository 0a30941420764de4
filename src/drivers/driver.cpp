#include "drivers/driver.h"

#include <unistd.h>

#include "drivers/library.h"

namespace whygpu {

namespace {

// Where Windows puts its driver for Linux programs; the directory exists in WSL only. Loaders whose
// cache was not rebuilt after the installation do not know it.
constexpr std::string_view wsl_directory = "/usr/lib/wsl/lib/";

std::vector<const char*> symbols_of(const Call& what) {
    return what.symbols.empty() ? std::vector<const char*>{what.name} : what.symbols;
}

// {"begin":NAME} or {"call":NAME} with the device, if any.
Json line_about(std::string_view kind, const Call& what) {
    Json line = Json::object();
    line.set(kind, what.name);
    if (what.device) {
        line.set("device", *what.device);
    }
    return line;
}

}  // namespace

bool Driver::open(const char* soname) {
    if (open_file(soname)) {
        return true;
    }
    const std::string in_wsl = std::string(wsl_directory) + soname;
    return access(in_wsl.c_str(), F_OK) == 0 && open_file(in_wsl.c_str());
}

bool Driver::open_file(const char* name) {
    // Loading runs the library's constructors: it may crash or hang as any call may.
    Json begin_line = Json::object();
    begin_line.set("begin", "dlopen");
    begin_line.set("library", name);
    reply_.write(begin_line);

    const LoadedLibrary loaded = load_library(name);
    Json line = Json::object();
    line.set("call", "dlopen");
    line.set("library", name);
    if (!loaded.file.empty()) {
        line.set("file", loaded.file);
    }
    if (loaded.handle == nullptr) {
        line.set("error", loaded.error);
        line.set("reason", loaded.reason);
    }
    reply_.write(line);
    library_ = loaded.handle;
    return library_ != nullptr;
}

Driver::Symbol Driver::begin(const Call& what) {
    for (const char* name : symbols_of(what)) {
        void* address = find_symbol(library_, name);
        if (address != nullptr) {
            reply_.write(line_about("begin", what));
            return {name, address};
        }
    }
    Json line = line_about("call", what);
    line.set("missing_symbol", true);
    reply_.write(line);
    return {};
}

Json Driver::answer_line(const Call& what, const Symbol& symbol, int code) {
    Json line = line_about("call", what);
    line.set("code", code);
    const std::string_view name = names_.in_table(code);
    if (!name.empty()) {
        line.set("name", name);
    } else {
        // A code newer than our table. Should the library crash over the question, the call that gave
        // the code is named as the one that failed, which is near enough.
        line.set("name", names_.in_library(library_, code));
    }
    if (symbol.name != std::string_view(what.name)) {
        line.set("symbol", symbol.name);
    }
    return line;
}

void Driver::conclude(const char* check, std::optional<int> code) {
    Json line = Json::object();
    line.set("call", check);
    if (code) {
        line.set("code", *code);
        line.set("name", *code == -1 ? std::string_view("wrong result") : names_.in_table(*code));
    } else {
        line.set("missing_symbol", true);
    }
    reply_.write(line);
}

}  // namespace whygpu
