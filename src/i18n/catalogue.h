#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace whygpu {

/// The languages that whygpu speaks, by their ISO 639-1 code.
enum class Lang { en, zh };

/// "en" or "zh".
std::string_view name_of(Lang lang);

/// The language for a locale name such as "zh_CN.UTF-8"; English for everything else.
Lang lang_of_locale(std::string_view locale);

/// The texts of the user interface in one language, English where a translation is missing. Our own
/// instead of gettext: that one stays silent in containers where no locale is installed.
class Catalogue {
public:
    static Result<Catalogue> load(Lang lang);

    Lang lang() const { return lang_; }

    /// The text under a key ("report.cause") with its {placeholders} filled; the key itself when
    /// there is no such text (a contract test rules that out).
    std::string text(std::string_view key, const std::map<std::string, std::string>& args = {}) const;

    bool has(std::string_view key) const { return texts_.find(key) != texts_.end(); }
    const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }

private:
    Lang lang_ = Lang::en;
    std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace whygpu
