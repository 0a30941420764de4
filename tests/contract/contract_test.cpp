// What every unit, text and command must keep to; see CONTRIBUTING.md.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "base/unicode.h"
#include "cli/commands.h"
#include "facts/access.h"
#include "i18n/catalogue.h"
#include "judge/situation.h"
#include "knowledge/diagnosis_ids.h"
#include "knowledge/knowledge.h"
#include "support/unit_cases.h"
#include "units/library.h"

namespace whygpu::testing {
namespace {

const UnitLibrary& library() {
    static const UnitLibrary units = UnitLibrary::load().value();
    return units;
}

const Knowledge& tables() {
    static const Knowledge knowledge = Knowledge::load().value();
    return knowledge;
}

std::string source_of(const UnitSource& source, const std::string& ending) {
    return read_source(std::string(WHYGPU_SOURCE_DIR) + "/src/" + std::string(source.path) + ending);
}

// Each rule with where it stands in the tree.
void for_each_rule(const std::function<void(const UnitSource&, const Document&)>& visit) {
    std::size_t index = 0;
    for (const UnitSource& source : unit_sources()) {
        if (source.kind == UnitKind::rule) {
            SCOPED_TRACE(std::string(source.path));
            visit(source, library().rules()[index++].document);
        }
    }
}

// Rules take some of their placeholders from there (torch_advice.cpp).
const std::string& code_of_knowledge() {
    static const std::string code = [] {
        std::string all;
        const std::string folder = std::string(WHYGPU_SOURCE_DIR) + "/src/knowledge";
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            all += entry.path().extension() == ".cpp" ? read_source(entry.path().string()) : "";
        }
        return all;
    }();
    return code;
}

std::string id_of_path(std::string_view path) {
    std::string id(path.substr(path.find('/') + 1));
    for (char& c : id) {
        c = c == '/' ? '.' : c == '_' ? '-' : c;
    }
    return id;
}

TEST(Units, IdsFollowFromPathsAndAreInTheVocabulary) {
    std::set<std::string> seen;
    for_each_rule([&](const UnitSource& source, const Document& document) {
        EXPECT_EQ(document.id, id_of_path(source.path));
        EXPECT_TRUE(is_diagnosis(tables(), document.id)) << document.id;
        EXPECT_TRUE(seen.insert(document.id).second) << document.id;
    });
    EXPECT_GE(seen.size(), 24U);
}

TEST(Units, NamesStateTheProblemAndNotTheRemedy) {
    for_each_rule([&](const UnitSource&, const Document& document) {
        const std::string stem = document.id.substr(document.id.find('.') + 1);
        for (const char* const remedy : {"use-", "avoid-", "prefer-", "install-", "fix-", "update-"}) {
            // "install" is a noun there: the id is in the vocabulary.
            const bool noun = stem == "install-incomplete";
            EXPECT_TRUE(noun || !stem.starts_with(remedy)) << stem;
        }
    });
}

TEST(Units, RulesHaveWhatTheManualNeeds) {
    for_each_rule([&](const UnitSource&, const Document& document) {
        EXPECT_FALSE(document.sources.empty());
        EXPECT_FALSE(document.since.empty());
        EXPECT_FALSE(document.english.tell.empty()) << "## How to tell";
        EXPECT_FALSE(document.fixes.empty()) << "every finding has a next step";
        EXPECT_FALSE(document.english.title.ends_with('.'));
        EXPECT_LE(display_width(document.english.title), 110);
    });
}

TEST(Units, EveryFixRowHasATitleAndRootStepsSaySo) {
    for_each_rule([&](const UnitSource&, const Document& document) {
        for (const FixRow& row : document.fixes) {
            EXPECT_EQ(document.english.steps.count(row.step), 1U) << row.step;
            for (const std::string& command : row.commands) {
                const bool root = contains(command, "{sudo}");
                EXPECT_TRUE(!root || row.needs_root) << command;
                EXPECT_FALSE(contains(command, "\n")) << command;
            }
        }
        for (const auto& [step, title] : document.english.steps) {
            const bool used = std::any_of(document.fixes.begin(), document.fixes.end(),
                                          [&](const FixRow& row) { return row.step == step; });
            EXPECT_TRUE(used) << "step without a fix row: " << step;
        }
    });
}

TEST(Units, TermsAndPlaceholdersAreNamesThatExist) {
    const std::vector<std::string>& names = situation_names();
    for_each_rule([&](const UnitSource& source, const Document& document) {
        const std::string code = source_of(source, ".cpp") + code_of_knowledge();
        const auto known = [&](const std::string& name) {
            return std::find(names.begin(), names.end(), name) != names.end() ||
                   contains(code, "\"" + name + "\"");
        };
        const auto check_terms = [&](const std::vector<std::string>& terms) {
            for (const std::string& term : terms) {
                EXPECT_TRUE(known(term.substr(0, term.find_first_of("!=")))) << term;
            }
        };
        for (const std::string& term : document.applies) {
            const std::string name = term.substr(0, term.find_first_of("!="));
            EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << term;
        }
        for (const FixRow& row : document.fixes) {
            check_terms(row.when);
            for (const std::string& command : row.commands) {
                for (const std::string& name : placeholders_of(command)) {
                    EXPECT_TRUE(known(name)) << command;
                }
            }
        }
        for (const VerifyRow& row : document.verify) {
            check_terms(row.when);
        }
        for (const std::string& name : placeholders_of(document.english.title)) {
            EXPECT_TRUE(known(name)) << name;
        }
    });
}

TEST(Units, NeedsAreFacts) {
    const Facts facts;
    for_each_rule([&](const UnitSource&, const Document& document) {
        for (const std::string& need : document.needs) {
            EXPECT_TRUE(fact_state(facts, need).has_value()) << need;
        }
    });
}

TEST(Units, ExplainsIsResolvableAndAcyclic) {
    std::map<std::string, std::vector<std::string>> explains;
    for_each_rule([&](const UnitSource&, const Document& document) {
        for (const std::string& id : document.explains) {
            EXPECT_TRUE(is_diagnosis(tables(), id)) << id;
        }
        explains[document.id] = document.explains;
    });
    std::set<std::string> finished;
    std::set<std::string> open;
    const std::function<void(const std::string&)> walk = [&](const std::string& id) {
        if (finished.count(id) > 0) {
            return;
        }
        ASSERT_TRUE(open.insert(id).second) << "a circle through " << id;
        for (const std::string& next : explains[id]) {
            walk(next);
        }
        open.erase(id);
        finished.insert(id);
    };
    for (const RuleUnit& rule : library().rules()) {
        walk(rule.document.id);
    }
}

TEST(Units, EveryRuleHasACaseThatFiresAndOneThatDoesNot) {
    for_each_rule([&](const UnitSource& source, const Document&) {
        int fires = 0;
        int silent = 0;
        for (const Case& one : cases_of(source_of(source, ".md"))) {
            const Block* expect = one.find("expect");
            ASSERT_NE(expect, nullptr) << one.name;
            (expect->text.starts_with("fired") ? fires : silent) += 1;
        }
        EXPECT_GE(fires, 1);
        EXPECT_GE(silent, 1);
    });
}

void expect_same_placeholders(const std::string& english, const std::string& chinese) {
    EXPECT_EQ(placeholders_of(english), placeholders_of(chinese)) << english << " / " << chinese;
}

void expect_same_keys(const std::map<std::string, std::string>& english,
                      const std::map<std::string, std::string>& chinese) {
    for (const auto& [key, text] : english) {
        const auto found = chinese.find(key);
        ASSERT_NE(found, chinese.end()) << "not translated: " << key;
        expect_same_placeholders(text, found->second);
    }
    EXPECT_EQ(english.size(), chinese.size());
}

TEST(Translations, AreThereAndFreshAndKeepThePlaceholders) {
    for (const UnitSource& source : unit_sources()) {
        SCOPED_TRACE(std::string(source.path));
        const Document document = parse_document(source).value();
        ASSERT_TRUE(document.chinese.has_value());
        EXPECT_EQ(document.translates, document.english_hash) << "stale: tools/unit i18n-status";
        expect_same_placeholders(document.english.title, document.chinese->title);
        expect_same_keys(document.english.variants, document.chinese->variants);
        expect_same_keys(document.english.notes, document.chinese->notes);
        expect_same_keys(document.english.steps, document.chinese->steps);
    }
}

TEST(Translations, UserInterfaceTextsHaveTheSameKeys) {
    const Catalogue english = Catalogue::load(Lang::en).value();
    const Catalogue chinese = Catalogue::load(Lang::zh).value();
    ASSERT_EQ(english.texts().size(), chinese.texts().size());
    int different = 0;
    for (const auto& [key, text] : english.texts()) {
        expect_same_placeholders(text, chinese.text(key));
        different += text == chinese.text(key) ? 0 : 1;
    }
    EXPECT_GT(different, static_cast<int>(english.texts().size()) * 9 / 10);
}

TEST(Probes, FillEachSectionOnce) {
    std::set<std::string> filled;
    for (const ProbeUnit& probe : library().probes()) {
        EXPECT_TRUE(filled.insert(probe.document.section).second) << probe.document.section;
    }
    const Catalogue words = Catalogue::load(Lang::en).value();
    for (const std::string& section : section_names()) {
        EXPECT_EQ(filled.count(section), 1U) << section;
        EXPECT_TRUE(words.has("section." + section)) << section;
    }
    EXPECT_EQ(filled.size(), section_names().size());
}

TEST(Commands, TextsExistForEveryCommandAndFlag) {
    const Catalogue words = Catalogue::load(Lang::en).value();
    const auto check = [&](std::span<const FlagSpec> flags) {
        for (const FlagSpec& flag : flags) {
            EXPECT_TRUE(words.has(flag.help)) << flag.name;
        }
    };
    check(common_flags());
    for (const CommandSpec& command : commands()) {
        EXPECT_TRUE(words.has(command.help)) << command.name;
        check(command.flags);
    }
}

TEST(Commands, ReadmeTableNamesEveryCommand) {
    for (const char* const file : {"/README.md", "/README.zh-CN.md"}) {
        const std::string readme = read_source(std::string(WHYGPU_SOURCE_DIR) + file);
        for (const CommandSpec& command : commands()) {
            if (!command.hidden) {
                EXPECT_TRUE(contains(readme, "`whygpu " + std::string(command.name)))
                    << file << " " << command.name;
            }
        }
    }
}

TEST(Fields, AreDocumentedOnce) {
    std::set<std::string> paths;
    for (const FieldDoc& field : field_docs()) {
        EXPECT_TRUE(paths.insert(field.path).second) << field.path;
        EXPECT_FALSE(field.meaning.empty()) << field.path;
    }
    EXPECT_GT(paths.size(), 100U);
}

}  // namespace
}  // namespace whygpu::testing
