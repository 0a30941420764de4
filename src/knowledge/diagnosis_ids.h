#pragma once

#include <string>
#include <string_view>

namespace whygpu {

class Knowledge;

/// Whether the vocabulary has this diagnosis id ("driver.not-installed").
bool is_diagnosis(const Knowledge& tables, std::string_view id);

/// What the id stands for, one English phrase; "" for an unknown id.
std::string meaning_of_diagnosis(const Knowledge& tables, std::string_view id);

}  // namespace whygpu
