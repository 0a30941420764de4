#include "i18n/catalogue.h"

#include "base/json.h"
#include "base/text.h"
#include "i18n/embedded.h"

namespace whygpu {

namespace {

// [report] cause = "…" becomes "report.cause". The files are ours: two levels and no more.
Result<void> add_texts(Lang lang, std::map<std::string, std::string, std::less<>>& texts) {
    const std::string file = "ui." + std::string(name_of(lang));
    const Result<Json> tree = parse_toml(embedded_texts(file));
    if (!tree) {
        return fail(tree.error(), file);
    }
    if (tree->as_object() == nullptr) {
        return fail(ErrorCode::internal, file + " holds no tables");
    }
    for (const auto& [section, entries] : *tree->as_object()) {
        if (entries.as_object() == nullptr) {
            return fail(ErrorCode::internal, file + ": " + section + " is no table");
        }
        for (const auto& [key, value] : *entries.as_object()) {
            if (value.as_string() != nullptr) {
                texts[section + "." + key] = *value.as_string();
            }
        }
    }
    return {};
}

}  // namespace

std::string_view name_of(Lang lang) {
    return lang == Lang::zh ? "zh" : "en";
}

Lang lang_of_locale(std::string_view locale) {
    return lower(locale).starts_with("zh") ? Lang::zh : Lang::en;
}

Result<Catalogue> Catalogue::load(Lang lang) {
    Catalogue catalogue;
    catalogue.lang_ = lang;
    if (Result<void> english = add_texts(Lang::en, catalogue.texts_); !english) {
        return fail(english.error(), "texts");
    }
    if (lang != Lang::en) {
        if (Result<void> translated = add_texts(lang, catalogue.texts_); !translated) {
            return fail(translated.error(), "texts");
        }
    }
    return catalogue;
}

std::string Catalogue::text(std::string_view key, const std::map<std::string, std::string>& args) const {
    const auto found = texts_.find(key);
    if (found == texts_.end()) {
        return std::string(key);
    }
    return fill_placeholders(found->second, [&](std::string_view name) -> std::optional<std::string> {
        const auto value = args.find(std::string(name));
        return value == args.end() ? std::nullopt : std::optional(value->second);
    });
}

}  // namespace whygpu
