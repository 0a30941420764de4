#pragma once

#include <string>
#include <vector>

#include "base/known.h"

namespace whygpu {

/// The one description of a field of a facts structure, from which JSON, documentation, comparison
/// and redaction follow. `meaning` names the unit where the field has one.
struct Field {
    const char* name;
    const char* meaning;
    bool identifying = false;  ///< names the machine or its user: never shown unless asked
};

// A facts structure S has `template <class Visitor> static void describe(Visitor& visit)` which
// calls visit(Field{…}, &S::member) for each of its members. Members are Known<X> where X is bool,
// std::int64_t, double, std::string, std::vector<std::string> or std::vector<structure>.

}  // namespace whygpu
