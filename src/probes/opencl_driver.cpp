#include <array>

#include "facts/access.h"
#include "facts/facts.h"
#include "host/driver_answer.h"
#include "probes/display_vendors.h"

namespace whygpu::probes::opencl_driver {

namespace {

using Devices = std::vector<OpenClFacts::Device>;

// NVIDIA and AMD, whose own libraries tell more.
constexpr std::array<std::string_view, 2> better_asked = {"10de", "1002"};

// Makers of GPUs that OpenCL reaches: Intel, Moore Threads, Arm, Qualcomm, Imagination, Zhaoxin. A list of
// those that are meant, since most other display adapters are made up by a hypervisor or belong to a board
// controller.
constexpr std::array<std::string_view, 6> reached = {"8086", "1ed5", "13b5", "5143", "1010", "1d17"};

OpenClFacts::Device device(const DriverAnswer& answer, int index) {
    const auto text = [&](std::string_view key) { return answer.text("clGetDeviceInfo", key, index); };
    OpenClFacts::Device device;
    device.name = text("device_name");
    device.type = text("type");
    device.platform = text("platform");
    device.vendor = text("vendor");
    device.driver_version = text("driver_version");
    device.memory_bytes = answer.number("clGetDeviceInfo", "bytes", index);
    return device;
}

Known<Devices> devices(const DriverAnswer& answer) {
    const Known<std::int64_t> count = answer.device_count("device_total", "clGetPlatformIDs");
    if (!count) {
        return Known<Devices>::missing_like(count);
    }
    Devices devices;
    for (int index = 0; index < *count; ++index) {
        devices.push_back(device(answer, index));
    }
    return Known<Devices>(devices, count.source());
}

// Loading every OpenCL driver of a machine takes a tenth of a second, for an answer that only matters where
// no other library can give one.
bool worth_asking(Host& host) {
    const Known<std::vector<std::string>> vendors = display_vendors(host);
    const auto present = [&](std::string_view vendor) { return has_vendor(vendors, vendor); };
    return std::ranges::any_of(reached, present) && std::ranges::none_of(better_asked, present);
}

}  // namespace

void probe(Host& host, Facts& facts) {
    if (!worth_asking(host)) {
        forget_section(facts, "opencl", Missing::not_asked,
                       "no GPU on the bus that only OpenCL could tell about");
        return;
    }
    const DriverAnswer answer = DriverAnswer::ask(host, "opencl");
    OpenClFacts& opencl = facts.opencl;
    opencl.library = answer.library();
    opencl.platforms_code = answer.code("clGetPlatformIDs");
    opencl.platforms_name = answer.code_name("clGetPlatformIDs");
    opencl.platform_count = answer.number("clGetPlatformIDs", "count");
    opencl.devices = devices(answer);
    opencl.failed_call = answer.failed_call();
}

}  // namespace whygpu::probes::opencl_driver
