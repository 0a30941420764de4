// What the child that loaded a driver library printed: the driver may have written anything to its
// output, and died at any byte.

#include "answering_host.h"
#include "check.h"
#include "facts/access.h"
#include "facts/facts.h"

namespace whygpu::probes::cuda_driver {
void probe(Host& host, Facts& facts);
}  // namespace whygpu::probes::cuda_driver
namespace whygpu::probes::nvml_driver {
void probe(Host& host, Facts& facts);
}  // namespace whygpu::probes::nvml_driver

using namespace whygpu;
using fuzz::require;

namespace {

template <class Device>
void check_devices(const Known<std::vector<Device>>& devices) {
    require(!devices || devices->size() <= 64, "at most 64 devices");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::AnsweringHost host(QueryKind::driver, fuzz::answer_from(fuzz::text_of(data, size)));
    Facts facts;
    probes::cuda_driver::probe(host, facts);
    probes::nvml_driver::probe(host, facts);
    check_devices(facts.cuda.devices);
    check_devices(facts.nvml.devices);
    require(parse_json(to_text(facts_to_json(facts, true))).has_value(), "facts are JSON");
    return 0;
}
