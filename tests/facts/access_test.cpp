#include "facts/access.h"

#include <gmock/gmock.h>

#include <set>

namespace whygpu {
namespace {

using testing::Contains;
using testing::Pair;

Facts example() {
    Facts facts;
    facts.os.id = std::string("ubuntu");
    facts.os.like = Known<std::string>::missing(Missing::absent, "no ID_LIKE");
    facts.os.groups = std::vector<std::string>{"video", "render"};
    facts.kernel.secure_boot = true;
    facts.kernel.command_line = std::string("root=UUID=1234");
    PciFacts::Device gpu;
    gpu.address = std::string("0000:01:00.0");
    gpu.driver = std::string("nvidia");
    gpu.link_width = std::int64_t{8};
    gpu.link_speed_gts = 16.0;
    gpu.numa_node = Known<std::int64_t>::missing(Missing::unsupported, "firmware names none");
    facts.pci.gpus = std::vector<PciFacts::Device>{gpu, PciFacts::Device{}};
    facts.nodes.nodes = std::vector<NodeFacts::Node>{};
    PythonFacts::Package torch;
    torch.name = std::string("torch");
    torch.location = std::string("/home/jane/venv/lib/python3.11/site-packages");
    facts.python.packages = std::vector<PythonFacts::Package>{torch};
    return facts;
}

TEST(FactsToJson, ValuesAndReasons) {
    const Json json = facts_to_json(example(), false);
    EXPECT_EQ(json.find("os")->text("id"), "ubuntu");
    EXPECT_EQ(to_text(*json.find("os")->find("like")), R"({"missing":"absent","because":"no ID_LIKE"})");
    EXPECT_EQ(to_text(*json.find("os")->find("groups")), R"(["video","render"])");
    const Json& gpu = json.find("pci")->find("gpus")->as_array()->front();
    EXPECT_EQ(*gpu.find("link_width")->as_int(), 8);
    EXPECT_EQ(*gpu.find("link_speed_gts")->as_double(), 16.0);
    EXPECT_TRUE(json.find("nodes")->find("nodes")->as_array()->empty());
}

TEST(FactsToJson, IdentifyingFactsAreRedacted) {
    const Json shown = facts_to_json(example(), false);
    const Json hidden = facts_to_json(example(), true);
    EXPECT_EQ(shown.find("kernel")->text("command_line"), "root=UUID=1234");
    EXPECT_EQ(hidden.find("kernel")->text("command_line"), "(redacted)");
    EXPECT_EQ(to_text(hidden).find("jane"), std::string::npos);
    EXPECT_EQ(hidden.find("os")->text("id"), "ubuntu");
}

TEST(FactsToJson, RoundTrip) {
    const Facts facts = example();
    const Json json = facts_to_json(facts, false);
    Facts again;
    const Result<void> done = assign_facts(again, json);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(facts_to_json(again, false), json);
    EXPECT_EQ(flattened(again), flattened(facts));

    const Result<Json> reread = parse_json(to_text(json, 2));
    ASSERT_TRUE(reread.has_value());
    EXPECT_EQ(*reread, json);
}

TEST(Sections, CopyOneOnly) {
    Facts to;
    EXPECT_TRUE(copy_section(example(), to, "os"));
    EXPECT_TRUE(to.os.id.is("ubuntu"));
    EXPECT_FALSE(to.kernel.secure_boot.known());
    EXPECT_FALSE(copy_section(example(), to, "nonsense"));
}

TEST(Sections, ForgetAll) {
    Facts facts = example();
    EXPECT_TRUE(forget_section(facts, "os", Missing::timed_out, "the probe took too long"));
    EXPECT_EQ(facts.os.id.why(), Missing::timed_out);
    EXPECT_EQ(facts.os.groups.because(), "the probe took too long");
    EXPECT_TRUE(facts.kernel.secure_boot.known());
    EXPECT_FALSE(forget_section(facts, "nonsense", Missing::absent, "x"));
}

TEST(OneFact, ForgottenIsUnknown) {
    Facts facts = example();
    ASSERT_TRUE(fact_state(facts, "pci.gpus").has_value());
    EXPECT_TRUE(fact_state(facts, "pci.gpus")->known);
    EXPECT_TRUE(forget_fact(facts, "pci.gpus", Missing::denied, "permission denied"));
    EXPECT_FALSE(fact_state(facts, "pci.gpus")->known);
    EXPECT_EQ(fact_state(facts, "pci.gpus")->why, Missing::denied);
    EXPECT_EQ(fact_state(facts, "pci.gpus")->because, "permission denied");
}

TEST(OneFact, PathsThatNameNone) {
    Facts facts = example();
    for (const char* path : {"", ".", "pci", "pci.", "pci.gpu", "gpus", "pci.gpus.address", "nonsense.id"}) {
        EXPECT_EQ(fact_state(facts, path).has_value(), false) << path;
        EXPECT_FALSE(forget_fact(facts, path, Missing::absent, "x")) << path;
    }
}

TEST(FieldDocs, EveryFieldOnceWithMeaning) {
    const std::vector<FieldDoc> docs = field_docs();
    std::set<std::string> paths;
    for (const FieldDoc& doc : docs) {
        EXPECT_FALSE(doc.meaning.empty()) << doc.path;
        EXPECT_TRUE(paths.insert(doc.path).second) << doc.path << " stands twice";
    }
    EXPECT_EQ(docs.front().path, "os.id");
    EXPECT_THAT(paths, Contains("pci.gpus"));
    EXPECT_THAT(paths, Contains("pci.gpus[].address"));
    EXPECT_THAT(paths, Contains("python.packages[].location"));
}

TEST(FieldDocs, EveryPathHasAState) {
    const Facts facts;
    for (const FieldDoc& doc : field_docs()) {
        const bool in_list = doc.path.find("[]") != std::string::npos;
        EXPECT_EQ(fact_state(facts, doc.path).has_value(), !in_list) << doc.path;
    }
}

TEST(SectionNames, AreThoseOfTheJson) {
    const Json json = facts_to_json(Facts{}, true);
    ASSERT_EQ(section_names().size(), json.as_object()->size());
    for (const std::string& name : section_names()) {
        EXPECT_NE(json.find(name), nullptr) << name;
    }
    EXPECT_EQ(section_names().front(), "os");
}

TEST(Flattened, ValuesListsAndReasons) {
    const std::map<std::string, std::string> flat = flattened(example());
    EXPECT_THAT(flat, Contains(Pair("os.id", "ubuntu")));
    EXPECT_THAT(flat, Contains(Pair("os.like", "(absent: no ID_LIKE)")));
    EXPECT_THAT(flat, Contains(Pair("os.groups", "video, render")));
    EXPECT_THAT(flat, Contains(Pair("kernel.secure_boot", "true")));
    EXPECT_THAT(flat, Contains(Pair("pci.gpus", "2")));
    EXPECT_THAT(flat, Contains(Pair("pci.gpus[0].driver", "nvidia")));
    EXPECT_THAT(flat, Contains(Pair("pci.gpus[0].link_speed_gts", "16.0")));
    EXPECT_THAT(flat, Contains(Pair("pci.gpus[1].driver", "(not_asked: not asked)")));
    EXPECT_THAT(flat, Contains(Pair("nodes.nodes", "0")));
}

}  // namespace
}  // namespace whygpu
