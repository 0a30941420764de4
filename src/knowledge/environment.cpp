#include "knowledge/environment.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

constexpr std::size_t longest_name = 80;
constexpr std::size_t most_edits = 2;

bool matches(std::string_view pattern, std::string_view name) {
    return pattern.ends_with('*') && name.starts_with(pattern.substr(0, pattern.size() - 1));
}

std::optional<Table::Row> row_of(const Table& variables, std::string_view name) {
    if (const std::optional<Table::Row> exact = find_row(variables, "name", name)) {
        return exact;
    }
    for (std::size_t index = 0; index < variables.size(); ++index) {
        if (matches(variables.row(index).cell("name").value_or(""), name)) {
            return variables.row(index);
        }
    }
    return std::nullopt;
}

// Edit distance with swapped neighbours as one edit (optimal string alignment).
std::size_t edits_between(std::string_view left, std::string_view right) {
    std::vector<std::vector<std::size_t>> cost(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t j = 0; j <= right.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
            const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if (swapped) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[left.size()][right.size()];
}

std::string without_underscores(std::string_view name) {
    std::string out(name);
    std::erase(out, '_');
    return out;
}

// The edits that turn `name` into `known`, or more than most_edits when it is no plausible slip.
std::size_t slips_between(std::string_view name, std::string_view known) {
    const std::size_t too_many = most_edits + 1;
    const std::vector<std::string_view> words = split(name, '_');
    const std::vector<std::string_view> known_words = split(known, '_');
    if (words.size() != known_words.size()) {
        const bool same_letters = without_underscores(name) == without_underscores(known);
        return same_letters && edits_between(name, known) <= most_edits ? most_edits : too_many;
    }
    std::size_t total = 0;
    for (std::size_t index = 0; index < words.size(); ++index) {
        if (words[index] == known_words[index]) {
            continue;
        }
        const std::size_t edits = edits_between(words[index], known_words[index]);
        // CUDNN_PATH is no slip of CUDA_PATH: the first word says whose variable it is.
        const bool too_far = known_words[index].size() < 4 || 2 * edits >= known_words[index].size();
        if (too_far || (index == 0 && edits > 1)) {
            return too_many;
        }
        total += edits;
    }
    return total;
}

VariableStatus::Kind kind_of(std::string_view status) {
    using Kind = VariableStatus::Kind;
    if (status == "read") {
        return Kind::read;
    }
    if (status == "renamed") {
        return Kind::renamed;
    }
    return status == "unread" ? Kind::unread : Kind::unknown;
}

}  // namespace

VariableStatus variable_status(const Knowledge& tables, std::string_view name) {
    VariableStatus status;
    const std::optional<Table::Row> row = row_of(tables.table("environment_variables"), name);
    if (!row) {
        return status;
    }
    status.kind = kind_of(row->text("status"));
    status.use_instead = row->text("replaced_by");
    status.read_by = row->text("read_by");
    status.when = row->text("when");
    status.form = row->text("form");
    status.note = row->text("note");
    return status;
}

std::optional<std::string> nearest_known(const Knowledge& tables, std::string_view name) {
    const Table& variables = tables.table("environment_variables");
    const VariableStatus::Kind kind = variable_status(tables, name).kind;
    const bool in_use = kind == VariableStatus::Kind::read || kind == VariableStatus::Kind::renamed;
    if (name.size() > longest_name || in_use) {
        return std::nullopt;
    }
    std::optional<std::string> nearest;
    std::size_t fewest = most_edits + 1;
    for (std::size_t index = 0; index < variables.size(); ++index) {
        const std::string known = variables.row(index).text("name");
        const bool usable = variables.row(index).cell("status") == "read" && !known.ends_with('*');
        const std::size_t edits = usable ? slips_between(name, known) : fewest;
        if (edits < fewest) {
            fewest = edits;
            nearest = known;
        }
    }
    return nearest;
}

}  // namespace whygpu
