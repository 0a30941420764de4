#include "knowledge/knowledge.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/bug.h"
#include "knowledge/embedded.h"
#include "knowledge/overlay.h"

namespace whygpu {

// An embedded table is parsed on first use: most commands need few of them, and start-up is paid each
// time. `changed` holds the text of a table with changes over it, else the embedded text is parsed.
struct Knowledge::Slot {
    std::string name;
    std::optional<std::string> changed;
    std::once_flag once;
    std::optional<Table> parsed;

    void parse() {
        Result<Table> table = Table::parse(changed ? std::string_view(*changed) : embedded_table(name));
        if (!table) {
            bug("an embedded table does not parse");
        }
        parsed = std::move(*table);
    }
};

Knowledge::Knowledge() = default;
Knowledge::Knowledge(Knowledge&& other) noexcept = default;
Knowledge& Knowledge::operator=(Knowledge&& other) noexcept = default;
Knowledge::~Knowledge() = default;

Result<Knowledge> Knowledge::load(const Changes& changes) {
    Knowledge knowledge;
    for (const std::string_view name : embedded_table_names()) {
        auto slot = std::make_unique<Slot>();
        slot->name = name;
        knowledge.slots_.emplace(std::string(name), std::move(slot));
    }
    for (const auto& [name, text] : changes) {
        const auto found = knowledge.slots_.find(name);
        if (found == knowledge.slots_.end()) {
            return fail(ErrorCode::not_found, "there is no knowledge table \"" + name + "\"");
        }
        Result<std::string> merged = overlaid(embedded_table(name), text);
        if (!merged) {
            return fail(merged.error(), "knowledge table \"" + name + "\"");
        }
        found->second->changed = std::move(*merged);
    }
    return knowledge;
}

const Table& Knowledge::table(std::string_view name) const {
    const auto found = slots_.find(name);
    if (found == slots_.end()) {
        bug("asked for a knowledge table that does not exist");
    }
    Slot& slot = *found->second;
    std::call_once(slot.once, [&slot] { slot.parse(); });
    return *slot.parsed;
}

std::vector<std::string> Knowledge::names() const {
    std::vector<std::string> names;
    for (const auto& [name, slot] : slots_) {
        names.push_back(name);
    }
    return names;
}

}  // namespace whygpu
