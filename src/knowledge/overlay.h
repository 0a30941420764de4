#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace whygpu {

/// The key columns of a table, from its comment line "# key: series tag"; empty when it has none.
std::vector<std::string> key_columns(std::string_view text);

/// A table's text with the rows of another put over it: a row with the same cells under the key
/// columns is replaced as a whole, any other is added at the end. The other table may leave columns
/// out (they become null) but not a key column, and may name no column that the table lacks.
Result<std::string> overlaid(std::string_view table, std::string_view changes);

}  // namespace whygpu
