#include "knowledge/gpu_identity.h"

#include <gmock/gmock.h>

#include "facts/facts.h"
#include "tables_of_tests.h"

namespace whygpu {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

PciFacts::Device adapter(const std::string& address, const std::string& vendor, const std::string& device,
                         const std::string& name) {
    PciFacts::Device adapter;
    adapter.address = Known<std::string>(address);
    adapter.vendor_id = Known<std::string>(vendor);
    adapter.device_id = Known<std::string>(device);
    if (!name.empty()) {
        adapter.name = Known<std::string>(name);
    }
    return adapter;
}

NvmlFacts::Device nvml_device(const std::string& address, const std::string& name,
                              const std::string& capability) {
    NvmlFacts::Device device;
    if (!address.empty()) {
        device.pci_address = Known<std::string>(address);
    }
    device.name = Known<std::string>(name);
    device.compute_capability = Known<std::string>(capability);
    return device;
}

AmdFacts::Node kfd_node(const std::string& gfx) {
    AmdFacts::Node node;
    node.gfx = Known<std::string>(gfx);
    return node;
}

Facts machine(std::vector<PciFacts::Device> adapters) {
    Facts facts;
    facts.pci.gpus = Known(std::move(adapters));
    return facts;
}

std::vector<Gpu> gpus(const Facts& facts) {
    return gpus_of(facts, embedded_knowledge());
}

TEST(Address, OfNvmlIsWrittenAsSysfsDoes) {
    EXPECT_EQ(normalised_pci_address("00000000:C1:00.0"), "0000:c1:00.0");
    EXPECT_EQ(normalised_pci_address("00000001:00:00.0"), "0001:00:00.0");
    EXPECT_EQ(normalised_pci_address("0001ABCD:00:00.0"), "1abcd:00:00.0");
    EXPECT_EQ(normalised_pci_address("01:00.0"), "0000:01:00.0");
    EXPECT_EQ(normalised_pci_address("N/A"), "n/a");
    EXPECT_EQ(normalised_pci_address(""), "");
}

TEST(Gpus, NothingKnown) {
    EXPECT_THAT(gpus(Facts()), IsEmpty());
}

TEST(Gpus, OneCardSeenByAll) {
    Facts facts = machine({adapter("0000:01:00.0", "10de", "2b85", "GB202 [GeForce RTX 5090]")});
    facts.nvml.devices =
        Known(std::vector{nvml_device("00000000:01:00.0", "NVIDIA GeForce RTX 5090", "12.0")});
    CudaFacts::Device cuda;
    cuda.pci_address = Known<std::string>("0000:01:00.0");
    cuda.name = Known<std::string>("MIG of it");
    facts.cuda.devices = Known(std::vector{cuda});
    const std::vector<Gpu> found = gpus(facts);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].name, "NVIDIA GeForce RTX 5090");
    EXPECT_EQ(found[0].chip, "GB202");
    EXPECT_EQ(found[0].compute_capability, Version({12, 0}));
    EXPECT_EQ(found[0].open_modules, "required");
    EXPECT_EQ(found[0].pci_index, 0);
    EXPECT_TRUE(found[0].capable);
}

TEST(Gpus, ACardWithoutNameIsKnownByItsId) {
    const std::vector<Gpu> found = gpus(machine({adapter("0000:01:00.0", "10de", "2b85", "")}));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].name, "NVIDIA device 2b85");
    EXPECT_EQ(found[0].chip, "GB202");
}

TEST(Gpus, NewerThanTheTablesIsCapableOlderThanFermiIsNot) {
    const std::vector<Gpu> found =
        gpus(machine({adapter("0000:01:00.0", "10de", "06e4", "G98 [GeForce 8400 GS]"),
                      adapter("0000:02:00.0", "10de", "7abc", "")}));
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].name, "NVIDIA device 7abc");
    EXPECT_TRUE(found[0].capable);
    EXPECT_EQ(found[0].pci_index, 1);
    EXPECT_EQ(found[1].name, "GeForce 8400 GS");
    EXPECT_EQ(found[1].vendor, "nvidia");
    EXPECT_FALSE(found[1].capable);
}

TEST(Gpus, VirtualManagementAndIntelAdaptersCannotCompute) {
    for (const char* vendor : {"1234", "1af4", "15ad", "1414", "1013", "1b36", "1a03", "102b", "8086"}) {
        const std::vector<Gpu> found = gpus(machine({adapter("0000:00:02.0", vendor, "1111", "")}));
        ASSERT_THAT(found, SizeIs(1));
        EXPECT_FALSE(found[0].capable) << vendor;
    }
    EXPECT_EQ(gpus(machine({adapter("0000:00:02.0", "1234", "1111", "")}))[0].name, "device 1234:1111");
}

TEST(Gpus, DiscreteNvidiaComesFirst) {
    const std::vector<Gpu> found =
        gpus(machine({adapter("0000:00:02.0", "8086", "4680", "AlderLake-S GT1 [UHD Graphics 770]"),
                      adapter("0000:03:00.0", "1002", "164e", "Raphael"),
                      adapter("0000:04:00.0", "1002", "744c", "Navi 31 [Radeon RX 7900 XTX]"),
                      adapter("0000:05:00.0", "10de", "2684", "AD102 [GeForce RTX 4090]")}));
    ASSERT_THAT(found, SizeIs(4));
    EXPECT_EQ(found[0].name, "GeForce RTX 4090");
    EXPECT_EQ(found[1].gfx, "gfx1100");
    EXPECT_EQ(found[2].gfx, "gfx1036");
    EXPECT_TRUE(found[2].integrated);
    EXPECT_EQ(found[3].vendor, "intel");
}

TEST(Gpus, InWslOnlyTheDriverKnowsTheCard) {
    Facts facts = machine({adapter("0001:00:00.0", "1414", "008e", "Basic Render Driver")});
    facts.nvml.devices =
        Known(std::vector{nvml_device("00000000:01:00.0", "NVIDIA GeForce GTX 1080 Ti", "6.1")});
    const std::vector<Gpu> found = gpus(facts);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].chip, "GP102");
    EXPECT_EQ(found[0].last_driver_branch, 580);
    EXPECT_EQ(found[0].pci_index, -1);
    EXPECT_EQ(found[0].address, "0000:01:00.0");
    EXPECT_FALSE(found[1].capable);
}

TEST(Gpus, AnUnknownProductIsKnownByItsCapability) {
    Facts facts;
    facts.nvml.devices = Known(std::vector{nvml_device("00000000:01:00.0", "NVIDIA P106-090", "6.1")});
    const std::vector<Gpu> found = gpus(facts);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].chip, "");
    EXPECT_EQ(found[0].architecture, "Pascal");
    EXPECT_EQ(found[0].last_driver_branch, 580);
}

TEST(Gpus, ListedWithoutAddressesAreCounted) {
    Facts facts;
    facts.nvml.devices = Known(std::vector{nvml_device("", "NVIDIA A100-SXM4-80GB", "8.0"),
                                           nvml_device("", "NVIDIA A100-SXM4-80GB", "8.0")});
    EXPECT_THAT(gpus(facts), SizeIs(2));
}

TEST(Gpus, KfdNodesAreJoinedByTarget) {
    Facts facts = machine(
        {adapter("0000:03:00.0", "1002", "164e", "Raphael"), adapter("0000:04:00.0", "1002", "7fff", "")});
    facts.amd.kfd_nodes = Known(std::vector{kfd_node("gfx1201"), kfd_node("gfx1036")});
    const std::vector<Gpu> found = gpus(facts);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].address, "0000:04:00.0");
    EXPECT_EQ(found[0].gfx, "gfx1201");
    EXPECT_EQ(found[0].architecture, "RDNA 4");
    EXPECT_TRUE(found[0].capable);
}

TEST(Gpus, OldRadeonCannotCompute) {
    const std::vector<Gpu> found =
        gpus(machine({adapter("0000:03:00.0", "1002", "68f9", "Cedar [Radeon HD 5450]")}));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_FALSE(found[0].capable);
    EXPECT_EQ(found[0].name, "Radeon HD 5450");
}

}  // namespace
}  // namespace whygpu
