#include "base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

// The only file that sees nlohmann-json. Texts come from driver children, pip metadata and files of
// users, so reading goes through the library's event interface: its parser keeps its own stack on the
// heap, and the depth is counted here before anything is built. Nothing here throws.

namespace whygpu {

namespace {

using Library = nlohmann::ordered_json;

constexpr std::size_t max_depth = 64;

/// Keeps the last of members with the same name, as every common reader does.
Json::Object without_duplicates(Json::Object members) {
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < members.size(); ++i) {
        last[members[i].first] = i;
    }
    if (last.size() == members.size()) {
        return members;
    }
    Json::Object kept;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (last.at(members[i].first) == i) {
            kept.push_back(members[i]);
        }
    }
    return kept;
}

/// Builds a tree from the library's events. Each open array or object waits in `open_`.
class Builder : public nlohmann::json_sax<Library> {
public:
    explicit Builder(std::string_view text) : text_(text) {}

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(std::int64_t{value})); }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<std::uint64_t>(INT64_MAX);
        return add(fits ? Json(static_cast<std::int64_t>(value)) : Json(static_cast<double>(value)));
    }
    bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
    bool string(string_t& value) override { return add(Json(std::move(value))); }
    bool binary(binary_t&) override { return false; }  // JSON text has none

    bool start_object(std::size_t) override { return open(true); }
    bool start_array(std::size_t) override { return open(false); }
    bool key(string_t& name) override {
        open_.back().key = std::move(name);
        return true;
    }
    bool end_object() override {
        Json::Object members = without_duplicates(std::move(open_.back().members));
        open_.pop_back();
        return add(Json(std::move(members)));
    }
    bool end_array() override {
        Json::Array elements = std::move(open_.back().elements);
        open_.pop_back();
        return add(Json(std::move(elements)));
    }

    bool parse_error(std::size_t position, const std::string&, const Library::exception& error) override {
        constexpr int out_of_range = 406;  // documented id of "number overflow"
        const std::size_t read = std::min(position, text_.size());
        const std::ptrdiff_t line =
            1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(read), '\n');
        error_ = "invalid JSON in line " + std::to_string(line);
        if (error.id == out_of_range) {
            error_ += ": a number is too large";
        }
        return false;
    }

    Result<Json> take(bool complete) {
        if (!complete) {
            return fail(ErrorCode::invalid_input, error_);
        }
        return std::move(root_);
    }

private:
    struct Open {
        bool is_object = false;
        std::string key;
        Json::Object members;
        Json::Array elements;
    };

    bool open(bool is_object) {
        if (open_.size() == max_depth) {
            error_ = "JSON is nested more than " + std::to_string(max_depth) + " levels deep";
            return false;
        }
        Open level;
        level.is_object = is_object;
        open_.push_back(std::move(level));
        return true;
    }

    bool add(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.back().is_object) {
            open_.back().members.emplace_back(std::move(open_.back().key), std::move(value));
        } else {
            open_.back().elements.push_back(std::move(value));
        }
        return true;
    }

    std::string_view text_;
    Json root_;
    std::vector<Open> open_;
    std::string error_ = "invalid JSON";
};

Library to_library(const Json& json) {
    if (const bool* value = json.as_bool()) {
        return *value;
    }
    if (const std::int64_t* value = json.as_int()) {
        return *value;
    }
    if (const double* value = json.as_double()) {
        return *value;
    }
    if (const std::string* value = json.as_string()) {
        return *value;
    }
    if (const Json::Array* elements = json.as_array()) {
        Library out = Library::array();
        for (const Json& element : *elements) {
            out.push_back(to_library(element));
        }
        return out;
    }
    if (const Json::Object* members = json.as_object()) {
        Library out = Library::object();
        // Straight to the vector beneath: the library's own insertion searches all members each time.
        Library::object_t& object = out.get_ref<Library::object_t&>();
        for (const auto& [name, value] : *members) {
            object.emplace_back(name, to_library(value));
        }
        return out;
    }
    return nullptr;
}

}  // namespace

Json Json::array_of(const std::vector<std::string>& texts) {
    Array elements;
    for (const std::string& text : texts) {
        elements.emplace_back(text);
    }
    return Json(std::move(elements));
}

const Json* Json::find(std::string_view key) const {
    const Object* members = as_object();
    if (members == nullptr) {
        return nullptr;
    }
    for (const auto& [name, value] : *members) {
        if (name == key) {
            return &value;
        }
    }
    return nullptr;
}

std::string Json::text(std::string_view key) const {
    const Json* member = find(key);
    const std::string* text = member != nullptr ? member->as_string() : nullptr;
    return text != nullptr ? *text : std::string();
}

std::vector<std::string> Json::texts(std::string_view key) const {
    std::vector<std::string> texts;
    const Json* member = find(key);
    const Array* elements = member != nullptr ? member->as_array() : nullptr;
    if (elements == nullptr) {
        return texts;
    }
    for (const Json& element : *elements) {
        if (const std::string* text = element.as_string()) {
            texts.push_back(*text);
        }
    }
    return texts;
}

Json& Json::set(std::string_view key, Json value) {
    if (as_object() == nullptr) {
        value_ = Object{};
    }
    Object& members = std::get<Object>(value_);
    for (auto& [name, old] : members) {
        if (name == key) {
            old = std::move(value);
            return *this;
        }
    }
    members.emplace_back(std::string(key), std::move(value));
    return *this;
}

Json& Json::push(Json value) {
    if (as_array() == nullptr) {
        value_ = Array{};
    }
    std::get<Array>(value_).push_back(std::move(value));
    return *this;
}

Result<Json> parse_json(std::string_view text) {
    Builder builder(text);
    const bool complete = Library::sax_parse(text.begin(), text.end(), &builder);
    return builder.take(complete);
}

std::string to_text(const Json& json, int indent) {
    return to_library(json).dump(indent > 0 ? indent : -1, ' ', false, Library::error_handler_t::replace);
}

}  // namespace whygpu
