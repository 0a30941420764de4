#include "facts/facts.h"
#include "host/driver_answer.h"
#include "probes/node_errors.h"

namespace whygpu::probes::cuda_driver {

namespace {

using Devices = std::vector<CudaFacts::Device>;

CudaFacts::Device device(const DriverAnswer& answer, int index) {
    CudaFacts::Device device;
    device.name = answer.text("cuDeviceGetName", "device_name", index);
    device.compute_capability = answer.text("cuDeviceGetAttribute", "compute_capability", index);
    device.memory_bytes = answer.number("cuDeviceTotalMem", "bytes", index);
    device.pci_address = answer.text("cuDeviceGetPCIBusId", "pci_address", index);
    return device;
}

Known<Devices> devices(const DriverAnswer& answer) {
    const Known<std::int64_t> count = answer.device_count("cuDeviceGetCount", "cuInit");
    if (!count) {
        return Known<Devices>::missing_like(count);
    }
    Devices devices;
    for (int index = 0; index < *count; ++index) {
        devices.push_back(device(answer, index));
    }
    return Known<Devices>(devices, count.source());
}

}  // namespace

void probe(Host& host, Facts& facts) {
    const DriverAnswer answer = DriverAnswer::ask(host, "cuda");
    CudaFacts& cuda = facts.cuda;
    cuda.library = answer.library();
    cuda.init_code = answer.code("cuInit");
    cuda.init_name = answer.code_name("cuInit");
    cuda.driver_cuda = answer.cuda_version("cuDriverGetVersion");
    cuda.devices = devices(answer);
    cuda.context_code = answer.code("cuCtxCreate");
    cuda.copy_code = answer.code("copy_check");
    cuda.kernel_code = answer.code("kernel_check");
    cuda.failed_call = answer.failed_call();
    cuda.node_errors = node_errors_of(answer);
}

}  // namespace whygpu::probes::cuda_driver
