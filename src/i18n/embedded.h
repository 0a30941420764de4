#pragma once

#include <string_view>

namespace whygpu {

/// The text of src/i18n/NAME.toml ("ui.en", "ui.zh"); empty when there is none. Generated.
std::string_view embedded_texts(std::string_view name);

}  // namespace whygpu
