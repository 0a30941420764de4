#include <gmock/gmock.h>

#include "host/kernel_log.h"
#include "host/pci_names.h"

namespace whygpu {

namespace {

TEST(KernelLog, FormatsARecordAsDmesgDoes) {
    EXPECT_EQ(format_kernel_record("4,1234,12345678,-;NVRM: Xid (PCI:0000:01:00): 79\n SUBSYSTEM=pci\n"),
              "[   12.345678] NVRM: Xid (PCI:0000:01:00): 79\n");
    EXPECT_EQ(format_kernel_record("6,1,99999000001,c;late\n"), "[99999.000001] late\n");
}

TEST(KernelLog, ResolvesEscapesAndRepeatsTheTimeOnEachLine) {
    EXPECT_EQ(format_kernel_record("6,1,1000000,-;one\\x0atwo \\x5cx\\xzz\n"),
              "[    1.000000] one\n[    1.000000] two \\x\\xzz\n");
}

TEST(KernelLog, DropsWhatIsNoRecord) {
    EXPECT_EQ(format_kernel_record(""), "");
    EXPECT_EQ(format_kernel_record("no record"), "");
    EXPECT_EQ(format_kernel_record("1,2;short"), "");
    EXPECT_EQ(format_kernel_record("1,2,-5,-;before time"), "");
}

TEST(KernelLog, StripsPrioritiesOfSyslog) {
    EXPECT_EQ(without_priorities("<6>[    0.1] a\n<12>[    0.2] b <3>\nplain"),
              "[    0.1] a\n[    0.2] b <3>\nplain\n");
}

constexpr const char* pci_ids =
    "# comment\n"
    "1002  Advanced Micro Devices, Inc. [AMD/ATI]\n"
    "\t2b85  Not this one\n"
    "10de  NVIDIA Corporation\n"
    "\t2684  AD102 [GeForce RTX 4090]\n"
    "\t\t10de 16f4  A subsystem\n"
    "\n"
    "\t2b85  GB202 [GeForce RTX 5090]\n"
    "10df  Emulex Corporation\n"
    "\tffff  Other vendor's\n";

TEST(PciNames, FindsTheDeviceOfItsVendor) {
    EXPECT_EQ(pci_name_in(pci_ids, "10de", "2b85"), "GB202 [GeForce RTX 5090]");
    EXPECT_EQ(pci_name_in(pci_ids, "10de", "2684"), "AD102 [GeForce RTX 4090]");
}

TEST(PciNames, StopsAtTheNextVendor) {
    EXPECT_EQ(pci_name_in(pci_ids, "10de", "ffff"), "");
    EXPECT_EQ(pci_name_in(pci_ids, "10de", "16f4"), "");
    EXPECT_EQ(pci_name_in(pci_ids, "8086", "2b85"), "");
    EXPECT_EQ(pci_name_in("\n10de  cut off", "10de", "2b85"), "");
}

TEST(PciNames, WantsTwoHexadecimalNumbers) {
    for (const char* id : {"", "10de", "10de:2b8", "10de:2b85x", "10de 2b85", "zzzz:2b85"}) {
        EXPECT_EQ(read_pci_name(id).missing, Missing::malformed) << id;
    }
}

}  // namespace

}  // namespace whygpu
