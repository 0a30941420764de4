#include "facts/access.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/driver_answer.h"
#include "probes/display_vendors.h"
#include "probes/node_errors.h"

namespace whygpu::probes::hip_driver {

namespace {

using Devices = std::vector<HipFacts::Device>;

constexpr std::string_view amd = "1002";

// 60241133 is 6.2.41133. Before ROCm 4.2 the number had another form, which says less.
Known<std::string> version_of(const DriverAnswer& answer, std::string_view call) {
    constexpr std::int64_t of_major = 10000000;
    constexpr std::int64_t of_minor = 100000;
    const Known<std::int64_t> number = answer.number(call, "version");
    if (!number) {
        return Known<std::string>::missing_like(number);
    }
    if (*number < of_major) {
        return Known<std::string>::missing(Missing::malformed, std::string(call) + " gave no HIP version",
                                           number.source());
    }
    const std::string text = std::to_string(*number / of_major) + "." +
                             std::to_string(*number % of_major / of_minor) + "." +
                             std::to_string(*number % of_minor);
    return Known<std::string>(text, number.source());
}

HipFacts::Device device(const DriverAnswer& answer, int index) {
    HipFacts::Device device;
    device.name = answer.text("hipDeviceGetName", "device_name", index);
    device.gfx = answer.text("hipGetDeviceProperties", "gfx", index);
    device.gfx_features = answer.text("hipGetDeviceProperties", "features", index);
    if (device.gfx && !device.gfx_features) {
        device.gfx_features =
            Known<std::string>::missing(Missing::absent, "the target has no features", device.gfx.source());
    }
    device.memory_bytes = answer.number("hipDeviceTotalMem", "bytes", index);
    device.pci_address = answer.text("hipDeviceGetPCIBusId", "pci_address", index);
    return device;
}

Known<Devices> devices(const DriverAnswer& answer) {
    const Known<std::int64_t> count = answer.device_count("hipGetDeviceCount", "hipInit");
    if (!count) {
        return Known<Devices>::missing_like(count);
    }
    Devices devices;
    for (int index = 0; index < *count; ++index) {
        devices.push_back(device(answer, index));
    }
    return Known<Devices>(devices, count.source());
}

// Loading ROCm takes a quarter of a second, which nobody without an AMD GPU should wait.
bool worth_asking(Host& host) {
    return exists(host, "/dev/kfd").is(true) || has_vendor(display_vendors(host), amd);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    if (!worth_asking(host)) {
        forget_section(facts, "hip", Missing::not_asked, "no AMD GPU on the bus and no /dev/kfd");
        return;
    }
    const DriverAnswer answer = DriverAnswer::ask(host, "hip");
    HipFacts& hip = facts.hip;
    hip.library = answer.library();
    hip.init_code = answer.code("hipInit");
    hip.init_name = answer.code_name("hipInit");
    hip.driver_version = version_of(answer, "hipDriverGetVersion");
    hip.runtime_version = version_of(answer, "hipRuntimeGetVersion");
    hip.devices = devices(answer);
    hip.copy_code = answer.code("copy_check");
    hip.failed_call = answer.failed_call();
    hip.node_errors = node_errors_of(answer);
}

}  // namespace whygpu::probes::hip_driver
