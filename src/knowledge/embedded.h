#pragma once

#include <string_view>
#include <vector>

namespace whygpu {

/// The text of src/knowledge/NAME.tsv ("nvidia_chips"); empty when there is none. Generated.
std::string_view embedded_table(std::string_view name);

/// The names of all embedded tables, without the ending. Generated.
std::vector<std::string_view> embedded_table_names();

}  // namespace whygpu
