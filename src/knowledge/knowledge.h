#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/table.h"

namespace whygpu {

/// The tables of facts, each parsed when it is first asked for, from any thread. Typed questions are
/// in the headers beside this one; they return what a table says and nothing for a null.
class Knowledge {
public:
    /// Table name ("nvidia_cards") → text of a table whose rows go over the embedded ones.
    using Changes = std::map<std::string, std::string>;

    /// The embedded tables with the changes over them. Fails, naming the table, when a change is for
    /// no known table, cannot be parsed or does not fit the table's columns.
    static Result<Knowledge> load(const Changes& changes = {});

    Knowledge(Knowledge&& other) noexcept;
    Knowledge& operator=(Knowledge&& other) noexcept;
    ~Knowledge();

    /// A table by name; asking for one that does not exist is a bug. Stays valid as long as this does,
    /// moves included.
    const Table& table(std::string_view name) const;

    /// The names of all tables, sorted.
    std::vector<std::string> names() const;

private:
    struct Slot;
    Knowledge();
    std::map<std::string, std::unique_ptr<Slot>, std::less<>> slots_;
};

}  // namespace whygpu
