#include "judge/fix.h"

#include <gmock/gmock.h>

namespace whygpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Situation ubuntu() {
    Situation situation;
    situation.set("family", "ubuntu");
    situation.set("sudo", "sudo ");
    situation.set("python", "'/opt/my env/bin/python'");
    situation.set("pip", "'/opt/my env/bin/python' -m pip");
    return situation;
}

FixRow row(const std::string& step, std::vector<std::string> when, std::vector<std::string> commands) {
    FixRow made;
    made.step = step;
    made.when = std::move(when);
    made.commands = std::move(commands);
    return made;
}

Document document(std::vector<FixRow> fixes) {
    Document made;
    made.fixes = std::move(fixes);
    return made;
}

std::vector<std::string> commands_of(const std::vector<FixStep>& steps) {
    std::vector<std::string> all;
    for (const FixStep& step : steps) {
        all.insert(all.end(), step.commands.begin(), step.commands.end());
    }
    return all;
}

// The command of one row as it is chosen for a value of the machine.
std::vector<std::string> with_value(const std::string& command, const std::string& value) {
    Finding finding;
    finding.args = {{"value", value}};
    return commands_of(choose_fix(document({row("step", {}, {command})}), finding, ubuntu()));
}

TEST(ChooseFix, TakesTheFirstWayOfAStepThatFits) {
    const Document two_ways = document({row("install", {"family=rhel"}, {"dnf install x"}),
                                        row("install", {"family=ubuntu"}, {"apt install x"}),
                                        row("install", {}, {"by hand"}), row("load", {}, {"modprobe x"})});
    EXPECT_THAT(commands_of(choose_fix(two_ways, Finding{}, ubuntu())),
                ElementsAre("apt install x", "modprobe x"));
}

TEST(ChooseFix, LeavesOutAStepWithoutAFittingWay) {
    EXPECT_THAT(
        choose_fix(document({row("install", {"family=rhel"}, {"dnf install x"})}), Finding{}, ubuntu()),
        IsEmpty());
}

TEST(ChooseFix, DoesNotTakeAWayWhoseConditionIsUnknown) {
    EXPECT_THAT(choose_fix(document({row("a", {"wsl=true"}, {"x"}), row("b", {"wsl!=true"}, {"y"})}),
                           Finding{}, ubuntu()),
                IsEmpty());
}

TEST(ChooseFix, TakesStepsWithoutCommandsAsAdvice) {
    EXPECT_THAT(choose_fix(document({row("firmware-setup", {}, {})}), Finding{}, ubuntu()), SizeIs(1));
}

TEST(ChooseFix, FillsFromTheFindingBeforeTheSituation) {
    Finding finding;
    finding.args = {{"branch", "580"}, {"sudo", ""}};
    EXPECT_THAT(commands_of(choose_fix(document({row("x", {}, {"{sudo}apt install nvidia-driver-{branch}"})}),
                                       finding, ubuntu())),
                ElementsAre("apt install nvidia-driver-580"));
}

TEST(ChooseFix, ConditionsMayAskForTheFindingsOwnValues) {
    Finding finding;
    finding.args = {{"flavour", "open"}};
    const Document flavours =
        document({row("x", {"flavour=closed"}, {"c"}), row("x", {"flavour=open"}, {"o"})});
    EXPECT_THAT(commands_of(choose_fix(flavours, finding, ubuntu())), ElementsAre("o"));
}

TEST(ChooseFix, SkipsAWayWithAHoleForTheNextOne) {
    const Document holes =
        document({row("x", {}, {"install {driver_branch}"}), row("x", {}, {"install any"})});
    EXPECT_THAT(commands_of(choose_fix(holes, Finding{}, ubuntu())), ElementsAre("install any"));
}

TEST(ChooseFix, AHoleInTheUndoCountsToo) {
    FixRow with_hole = row("x", {}, {"fine"});
    with_hole.undo = {"pip install {old}"};
    EXPECT_THAT(choose_fix(document({with_hole}), Finding{}, ubuntu()), IsEmpty());
}

TEST(ChooseFix, CarriesSafetyAndUndo) {
    FixRow full = row("x", {}, {"{sudo}rm x"});
    full.safety = Safety::disruptive;
    full.needs_root = true;
    full.reboot = true;
    full.undo = {"{sudo}touch x"};
    const std::vector<FixStep> steps = choose_fix(document({full}), Finding{}, ubuntu());
    ASSERT_THAT(steps, SizeIs(1));
    EXPECT_EQ(steps[0].safety, Safety::disruptive);
    EXPECT_TRUE(steps[0].needs_root && steps[0].reboot);
    EXPECT_THAT(steps[0].undo, ElementsAre("sudo touch x"));
}

// ---- values that are no plain text to a shell: a snapshot may come from a stranger ----

TEST(CommandValues, PlainOnesAreFilledIn) {
    EXPECT_THAT(with_value("ls {value}", "/usr/local/cuda-12.8/lib64"),
                ElementsAre("ls /usr/local/cuda-12.8/lib64"));
    EXPECT_THAT(
        with_value("{pip} install {value}", "torch==2.6.0 --index-url https://x.org/whl/cu124"),
        ElementsAre(
            "'/opt/my env/bin/python' -m pip install torch==2.6.0 --index-url https://x.org/whl/cu124"));
    EXPECT_THAT(with_value("echo {value}", "<home>/cuda/lib64"), ElementsAre("echo <home>/cuda/lib64"));
}

TEST(CommandValues, WithAMeaningToTheShellAreNot) {
    for (const char* const value : {"x; reboot", "$(reboot)", "`reboot`", "a|b", "a && b", "x > /etc/passwd",
                                    "*", "\"", "a\\b", "one\ntwo", "\033[2J", "it's", "<not a mark>"}) {
        EXPECT_THAT(with_value("ls {value}", value), IsEmpty()) << value;
    }
}

TEST(CommandValues, InsideQuotesOnlyAQuoteEndsThem) {
    EXPECT_THAT(with_value("export X='{value}'", "0, 1; reboot"), ElementsAre("export X='0, 1; reboot'"));
    EXPECT_THAT(with_value("export X='{value}'", "0'; reboot; '"), IsEmpty());
    EXPECT_THAT(with_value("sh -c '{pip} list {value}'", "x"), IsEmpty()) << "the path has quotes of its own";
}

// ---- verification ----

TEST(ChooseVerify, TakesTheFirstRowThatFits) {
    Document made;
    made.verify = {
        {{"family=rhel"}, {"rpm -q x"}}, {{}, {"{missing}"}}, {{}, {"{sudo}true"}}, {{}, {"late"}}};
    EXPECT_THAT(choose_verify(made, Finding{}, ubuntu()), ElementsAre("sudo true"));
}

TEST(ChooseVerify, MayHaveNone) {
    EXPECT_THAT(choose_verify(Document{}, Finding{}, ubuntu()), IsEmpty());
}

}  // namespace
}  // namespace whygpu
