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
namespace whygpu::probes::hip_driver {
void probe(Host& host, Facts& facts);
}  // namespace whygpu::probes::hip_driver
namespace whygpu::probes::opencl_driver {
void probe(Host& host, Facts& facts);
}  // namespace whygpu::probes::opencl_driver

using namespace whygpu;
using fuzz::require;

namespace {

// Gives the answer of the driver child beside a display adapter of the maker that makes a probe ask.
class OneCard : public Host {
public:
    OneCard(const char* vendor, Answer driver) : vendor_(vendor), driver_(std::move(driver)) {}
    Answer answer(const Query& query) override {
        Answer given;
        if (query.kind == QueryKind::driver) {
            return driver_;
        }
        given.text = query.kind == QueryKind::directory    ? "0000:03:00.0\n"
                     : query.argument.ends_with("/class")  ? "0x030000\n"
                     : query.argument.ends_with("/vendor") ? vendor_
                                                           : "";
        return given;
    }

private:
    const char* vendor_;
    Answer driver_;
};

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
    OneCard amd("0x1002\n", fuzz::answer_from(fuzz::text_of(data, size)));
    probes::hip_driver::probe(amd, facts);
    OneCard intel("0x8086\n", fuzz::answer_from(fuzz::text_of(data, size)));
    probes::opencl_driver::probe(intel, facts);
    check_devices(facts.cuda.devices);
    check_devices(facts.hip.devices);
    check_devices(facts.opencl.devices);
    require(!facts.cuda.node_errors || facts.cuda.node_errors->size() <= 128, "at most 128 nodes");
    check_devices(facts.nvml.devices);
    require(parse_json(to_text(facts_to_json(facts, true))).has_value(), "facts are JSON");
    return 0;
}
