#include "judge/situation.h"

#include <gmock/gmock.h>

#include "judge/made_facts.h"

namespace whygpu {
namespace {

using testing::facts_of;
using testing::tables;

std::string value(const Situation& situation, std::string_view name) {
    return situation.value(name).value_or("(none)");
}

std::string value_in(std::string_view toml, std::string_view name) {
    return value(situation_of(facts_of(toml), tables()), name);
}

std::string family(const std::string& id, const std::string& like = "") {
    const std::string likes = like.empty() ? "" : "like = \"" + like + "\"\n";
    return value_in("[os]\nid = \"" + id + "\"\n" + likes, "family");
}

// ---- the distribution ----

TEST(Family, OfDistributionsThatNameThemselves) {
    EXPECT_EQ(family("ubuntu", "debian"), "ubuntu");
    EXPECT_EQ(family("debian"), "debian");
    EXPECT_EQ(family("fedora"), "fedora");
    EXPECT_EQ(family("rhel", "fedora"), "rhel");
    EXPECT_EQ(family("arch"), "arch");
    EXPECT_EQ(family("amzn", "fedora"), "amazon");
}

TEST(Family, OfRebuildsOfRedHat) {
    EXPECT_EQ(family("rocky", "rhel centos fedora"), "rhel");
    EXPECT_EQ(family("almalinux", "rhel centos fedora"), "rhel");
    EXPECT_EQ(family("ol", "fedora"), "rhel");
}

TEST(Family, OfSuseFlavours) {
    EXPECT_EQ(family("opensuse-leap", "suse opensuse"), "suse");
    EXPECT_EQ(family("opensuse-tumbleweed", "opensuse suse"), "suse");
    EXPECT_EQ(family("sles"), "suse");
}

TEST(Family, OfDerivativesIsThatOfTheirFirstKnownParent) {
    EXPECT_EQ(family("linuxmint", "ubuntu debian"), "ubuntu");
    EXPECT_EQ(family("pop", "ubuntu debian"), "ubuntu");
    EXPECT_EQ(family("raspbian", "debian"), "debian");
    EXPECT_EQ(family("manjaro", "arch"), "arch");
}

TEST(Family, OfAStrangerIsOther) {
    EXPECT_EQ(family("gentoo"), "other");
    EXPECT_EQ(family("ubuntuish"), "other");
}

// ---- what is not known ----

TEST(Situation, OfNoFactsHasOnlyWhatWorksEverywhere) {
    const Situation situation = situation_of(Facts{}, tables());
    EXPECT_EQ(value(situation, "sudo"), "sudo ");
    EXPECT_EQ(value(situation, "python"), "python3");
    EXPECT_EQ(value(situation, "pip"), "python3 -m pip");
    for (const std::string_view name :
         {"family", "capable", "wsl", "container", "root", "vm", "driver_branch"}) {
        EXPECT_FALSE(situation.value(name).has_value()) << name;
    }
}

TEST(Situation, NamesAreAllDeclared) {
    const Situation situation = situation_of(
        facts_of(
            "[os]\nid = \"ubuntu\"\nversion = \"24.04\"\narchitecture = \"x86_64\"\nhypervisor = \"none\"\n"
            "jetson = false\nuser_id = 0\n[kernel]\nrelease = \"6.8.0\"\nsecure_boot = true\n[wsl]\ninside = "
            "false\n"
            "[container]\ninside = false\nengine = \"docker\"\n[services]\nnvswitch_count = "
            "0\n[python]\nexternally_managed = false\n"
            "[[pci.gpus]]\nvendor_id = \"10de\"\ndevice_id = \"2b85\"\nname = \"GB202 [GeForce RTX "
            "5090]\"\n"),
        tables());
    const std::vector<std::string>& names = situation_names();
    for (const auto& [name, text] : situation.values()) {
        EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
    }
    EXPECT_EQ(situation.values().size(), names.size());
}

TEST(Situation, RootNeedsNoSudo) {
    EXPECT_EQ(value_in("[os]\nuser_id = 0\n", "sudo"), "");
    EXPECT_EQ(value_in("[os]\nuser_id = 1000\n", "sudo"), "sudo ");
    EXPECT_EQ(value_in("[os]\nuser_id = 1000\n", "root"), "false");
}

TEST(Situation, PythonWithASpaceInItsPathIsQuoted) {
    EXPECT_EQ(value_in("[python]\ninterpreter = \"/opt/my env/bin/python\"\n", "pip"),
              "'/opt/my env/bin/python' -m pip");
    EXPECT_EQ(value_in("[python]\ninterpreter = \"<home>/venv/bin/python\"\n", "python"),
              "<home>/venv/bin/python");
}

TEST(Situation, VirtualMachineIsToldFromItsHypervisor) {
    EXPECT_EQ(value_in("[os]\nhypervisor = \"kvm\"\n", "vm"), "true");
    EXPECT_EQ(value_in("[os]\nhypervisor = \"none\"\n", "vm"), "false");
    EXPECT_EQ(value_in("", "vm"), "(none)");
}

// ---- GPUs ----

constexpr const char* gb202 =
    "[[pci.gpus]]\naddress = \"0000:01:00.0\"\nvendor_id = \"10de\"\ndevice_id = \"2b85\"\n"
    "name = \"GB202 [GeForce RTX 5090]\"\n";
constexpr const char* ga102 =
    "[[pci.gpus]]\naddress = \"0000:02:00.0\"\nvendor_id = \"10de\"\ndevice_id = \"2204\"\n"
    "name = \"GA102 [GeForce RTX 3090]\"\n";
constexpr const char* gp102 =
    "[[pci.gpus]]\naddress = \"0000:03:00.0\"\nvendor_id = \"10de\"\ndevice_id = \"1b06\"\n"
    "name = \"GP102 [GeForce GTX 1080 Ti]\"\n";
constexpr const char* gh200 =
    "[[pci.gpus]]\naddress = \"0009:01:00.0\"\nvendor_id = \"10de\"\ndevice_id = \"2342\"\n"
    "name = \"GH100 [GH200 120GB / 480GB]\"\n";

TEST(Presence, IsNotDeniedWhereTheBusCouldNotBeRead) {
    EXPECT_EQ(value_in("", "capable"), "(none)");
    EXPECT_EQ(value_in("[pci]\ngpus = []\n", "capable"), "false");
    EXPECT_EQ(value_in("[pci]\ngpus = []\n", "nvidia_gpu"), "false");
    EXPECT_EQ(value_in(gb202, "nvidia_capable"), "true");
    EXPECT_EQ(value_in(gb202, "amd_capable"), "false");
}

TEST(Presence, InWslIsToldFromTheParavirtualDevice) {
    constexpr const char* wsl =
        "[wsl]\ninside = true\ndxg_node = true\ndriver_libraries = [\"libcuda.so.1\"]\n";
    EXPECT_EQ(value_in(wsl, "nvidia_capable"), "true");
    EXPECT_EQ(value_in("[wsl]\ninside = true\ndxg_node = false\n", "capable"), "false");
}

TEST(Presence, OfAJetsonIsItsBoard) {
    EXPECT_EQ(value_in("[os]\njetson = true\n", "nvidia_capable"), "true");
    EXPECT_EQ(value_in("[os]\njetson = true\n", "driver_branch"), "(none)");
}

TEST(DriverAdvice, BlackwellNeedsOpenModules) {
    EXPECT_EQ(value_in(gb202, "open_module"), "required");
    EXPECT_EQ(value_in(gb202, "open_suffix"), "-open");
}

TEST(DriverAdvice, PascalStaysOnItsLastBranchWithClosedModules) {
    EXPECT_EQ(value_in(gp102, "driver_branch"), "580");
    EXPECT_EQ(value_in(gp102, "open_module"), "no");
    EXPECT_EQ(value_in(gp102, "open_suffix"), "");
}

TEST(DriverAdvice, GraceHopperNeedsOpenModulesAlthoughItsChipDoesNot) {
    EXPECT_EQ(value_in(gh200, "open_module"), "required");
}

TEST(DriverAdvice, ServesAllCardsInWhateverOrder) {
    EXPECT_EQ(value_in(std::string(ga102) + gb202, "open_module"), "required");
    EXPECT_EQ(value_in(std::string(gb202) + ga102, "open_module"), "required");
    EXPECT_EQ(value_in(std::string(ga102) + gp102, "driver_branch"), "580");
    EXPECT_EQ(value_in(std::string(ga102) + gp102, "open_module"), "no");
}

TEST(DriverAdvice, IsKnownFromTheCapabilityAlone) {
    constexpr const char* nvml =
        "[pci]\ngpus = []\n[[nvml.devices]]\nname = \"NVIDIA Unheard-of 1\"\n"
        "compute_capability = \"12.0\"\n";
    EXPECT_EQ(value_in(nvml, "open_module"), "required");
}

// ---- terms ----

Situation debian_in_docker() {
    Situation situation;
    situation.set("family", "debian");
    situation.set("container", "true");
    return situation;
}

TEST(Terms, CompareWithOneOrSeveralValues) {
    EXPECT_EQ(holds(debian_in_docker(), "family=debian"), Truth::yes);
    EXPECT_EQ(holds(debian_in_docker(), "family=ubuntu|debian"), Truth::yes);
    EXPECT_EQ(holds(debian_in_docker(), "family=rhel"), Truth::no);
    EXPECT_EQ(holds(debian_in_docker(), "family!=rhel|fedora"), Truth::yes);
    EXPECT_EQ(holds(debian_in_docker(), "container!=true"), Truth::no);
}

TEST(Terms, OfWhatIsNotKnownAreUnknownEvenNegated) {
    EXPECT_EQ(holds(debian_in_docker(), "wsl=true"), Truth::unknown);
    EXPECT_EQ(holds(debian_in_docker(), "wsl!=true"), Truth::unknown);
}

TEST(Terms, ThatAreNoneAreUnknown) {
    EXPECT_EQ(holds(debian_in_docker(), "family"), Truth::unknown);
    EXPECT_EQ(holds(debian_in_docker(), "=debian"), Truth::unknown);
    EXPECT_EQ(holds(debian_in_docker(), ""), Truth::unknown);
    EXPECT_EQ(holds(debian_in_docker(), "!=x"), Truth::unknown);
}

TEST(Terms, TogetherAreNoBeforeTheyAreUnknown) {
    EXPECT_EQ(all_hold(debian_in_docker(), {}), Truth::yes);
    EXPECT_EQ(all_hold(debian_in_docker(), {"family=debian", "container=true"}), Truth::yes);
    EXPECT_EQ(all_hold(debian_in_docker(), {"wsl=true", "family=rhel"}), Truth::no);
    EXPECT_EQ(all_hold(debian_in_docker(), {"family=debian", "wsl=true"}), Truth::unknown);
}

}  // namespace
}  // namespace whygpu
