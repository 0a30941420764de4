#include "scenario.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace whygpu::fake {

namespace {

std::string stripped(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) {
        return "";
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::map<std::string, std::string> read_scenario() {
    std::map<std::string, std::string> values;
    const char* path = std::getenv("WHYGPU_FAKE_SCENARIO");
    if (path == nullptr) {
        return values;
    }
    std::ifstream file(path);
    if (!file) {
        std::abort();  // a test that names no scenario must not pass for a healthy machine
    }
    for (std::string line; std::getline(file, line);) {
        line = line.substr(0, line.find('#'));
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos) {
            values[stripped(line.substr(0, equals))] = stripped(line.substr(equals + 1));
        }
    }
    return values;
}

const std::map<std::string, std::string>& scenario() {
    static const std::map<std::string, std::string> values = read_scenario();
    return values;
}

// "cuMemAlloc_v2" is also meant by "cuMemAlloc".
std::string without_version(const std::string& call) {
    const std::size_t at = call.rfind("_v");
    return at != std::string::npos && at + 3 == call.size() ? call.substr(0, at) : call;
}

[[noreturn]] void crash() {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGSEGV, SIG_DFL);  // not to a sanitizer's handler
    std::raise(SIGSEGV);
    std::abort();
}

[[noreturn]] void hang() {
    while (true) {
        pause();
    }
}

}  // namespace

std::string text(const std::string& key, const std::string& otherwise) {
    const auto found = scenario().find(key);
    return found != scenario().end() ? found->second : otherwise;
}

long long number(const std::string& key, long long otherwise) {
    std::istringstream in(text(key));
    long long value = 0;
    return in >> value ? value : otherwise;
}

bool listed(const std::string& key, const std::string& call) {
    std::istringstream in(text(key));
    for (std::string item; std::getline(in, item, ',');) {
        const std::string name = stripped(item);
        if (name == call || name == without_version(call)) {
            return true;
        }
    }
    return false;
}

int enter(const std::string& library, const std::string& call, int device) {
    if (listed(library + ".crash_in", call)) {
        crash();
    }
    if (listed(library + ".hang_in", call)) {
        hang();
    }
    if (listed(library + ".exit_in", call)) {
        _exit(0);
    }
    for (const std::string& name : {call, without_version(call)}) {
        const std::string key = library + ".code." + name;
        const long long for_all = number(key, 0);
        const long long code = number(key + "." + std::to_string(device), for_all);
        if (code != 0) {
            return static_cast<int>(code);
        }
    }
    return 0;
}

std::string device_text(int device, const std::string& what, const std::string& otherwise) {
    return text("device." + std::to_string(device) + "." + what, text("device.all." + what, otherwise));
}

long long device_number(int device, const std::string& what, long long otherwise) {
    return number("device." + std::to_string(device) + "." + what, number("device.all." + what, otherwise));
}

Capability device_capability(int device) {
    std::istringstream in(device_text(device, "cc", "9.0"));
    Capability capability;
    char dot = 0;
    in >> capability.major >> dot >> capability.minor;
    return capability;
}

bool copy_text(const std::string& text, char* buffer, std::size_t size) {
    if (text.size() + 1 > size) {
        return false;
    }
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    return true;
}

}  // namespace whygpu::fake
