#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace whygpu {

/// A tree of plain data, as read from JSON or TOML and as written to JSON. Objects keep the order in
/// which their members were added. The library behind it stays in json.cpp.
class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

    Json() = default;
    Json(std::nullptr_t) {}
    Json(bool value) : value_(value) {}
    Json(std::int64_t value) : value_(value) {}
    Json(int value) : value_(static_cast<std::int64_t>(value)) {}
    Json(double value) : value_(value) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    Json(const char* value) : value_(std::string(value)) {}
    Json(Array value) : value_(std::move(value)) {}
    Json(Object value) : value_(std::move(value)) {}

    static Json array() { return Json(Array{}); }
    static Json object() { return Json(Object{}); }
    static Json array_of(const std::vector<std::string>& texts);

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

    /// The value as that type, or nullptr when it is another. Integers are not doubles.
    const bool* as_bool() const { return std::get_if<bool>(&value_); }
    const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&value_); }
    const double* as_double() const { return std::get_if<double>(&value_); }
    const std::string* as_string() const { return std::get_if<std::string>(&value_); }
    const Array* as_array() const { return std::get_if<Array>(&value_); }
    const Object* as_object() const { return std::get_if<Object>(&value_); }

    /// The member of an object, nullptr when there is none or this is no object.
    const Json* find(std::string_view key) const;

    /// Member text or "" / the texts of a member array; other types are left out.
    std::string text(std::string_view key) const;
    std::vector<std::string> texts(std::string_view key) const;

    /// Sets a member (this becomes an object) or appends an element (this becomes an array).
    Json& set(std::string_view key, Json value);
    Json& push(Json value);

    bool operator==(const Json& other) const = default;

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// Parses one JSON document; nesting beyond 64 levels and anything after it are errors.
Result<Json> parse_json(std::string_view text);

/// Parses a TOML document to the same tree. Dates become their text.
Result<Json> parse_toml(std::string_view text);

/// JSON text; `indent` spaces a level, one line when 0. Invalid UTF-8 is replaced.
std::string to_text(const Json& json, int indent = 0);

}  // namespace whygpu
