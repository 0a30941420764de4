#include "host/driver_answer.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace whygpu {

namespace {

// More than 64 devices can give; a hostile snapshot gets no further.
constexpr std::size_t max_entries = 20000;
constexpr std::int64_t max_devices = 64;
constexpr std::size_t max_node_errors = 128;

// A driver's own message may stand in front of our object on the same line.
std::optional<Json> object_in(std::string_view line) {
    const std::size_t start = line.find("{\"");
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    Result<Json> parsed = parse_json(line.substr(start));
    return parsed && parsed->as_object() != nullptr ? std::optional<Json>(std::move(*parsed)) : std::nullopt;
}

std::string described_code(const Json& json);

std::optional<std::int64_t> integer_at(const Json& json, std::string_view key) {
    const Json* member = json.find(key);
    const std::int64_t* value = member != nullptr ? member->as_int() : nullptr;
    return value != nullptr ? std::optional<std::int64_t>(*value) : std::nullopt;
}

// Why a library was not loaded. The loader's words mislead about a file of another architecture, which it
// passes over: "No such file or directory".
std::string load_error(const Json& json) {
    const std::string file = json.text("file");
    const bool passed_over = json.text("reason") == "wrong-architecture" && !file.empty();
    return passed_over ? file + " is made for another processor" : json.text("error");
}

std::string described_code(const Json& json);

// The call that a line begins or answers ("begin" or "call"), with the node for one that opens a node:
// "cuInit", "open(/dev/nvidia0)".
std::string shown_call(const Json& json, std::string_view key) {
    const std::string call = json.text(key);
    const std::string path = json.text("path");
    return call == "open" && !path.empty() ? call + "(" + path + ")" : call;
}

// What a call that succeeded brought: "version 470.256.02".
std::string values_text(const Json& json) {
    std::string text;
    for (const auto& [key, value] : *json.as_object()) {
        const bool own =
            key == "call" || key == "code" || key == "name" || key == "symbol" || key == "device";
        if (own || value.as_object() != nullptr) {
            continue;
        }
        text += (text.empty() ? "" : ", ") + key + " " +
                (value.as_string() != nullptr ? *value.as_string() : to_text(value));
    }
    return text;
}

// The line as people read it: "nvmlInit = 18 NVML_ERROR_LIB_RM_VERSION_MISMATCH", "cuDriverGetVersion:
// version 12080". A line without a code (dlopen, checks of ours) is quoted as it is.
std::string quoted_line(const Json& json, std::string_view line) {
    const std::string call = shown_call(json, "call");
    if (call != json.text("call")) {  // a node: "open(/dev/nvidiactl) = EACCES"
        const std::string error = json.text("name");
        return call + " = " + (error.empty() ? "0" : error);
    }
    const std::optional<std::int64_t> code = integer_at(json, "code");
    if (!code) {
        return std::string(line);
    }
    const std::string values = *code == 0 ? values_text(json) : "";
    return call + (values.empty() ? " = " + described_code(json) : ": " + values);
}

std::string described_code(const Json& json) {
    const std::optional<std::int64_t> code = integer_at(json, "code");
    return code ? std::to_string(*code) + " " + json.text("name") : "no code";
}

Missing missing_from_load(const std::string& reason) {
    if (reason == "absent") {
        return Missing::absent;
    }
    if (reason == "denied") {
        return Missing::denied;
    }
    return reason == "wrong-architecture" ? Missing::unsupported : Missing::malformed;
}

}  // namespace

DriverAnswer DriverAnswer::ask(Host& host, const std::string& name) {
    const Answer answer = host.answer({QueryKind::driver, name});
    DriverAnswer parsed;
    parsed.read(answer, "whygpu _ask " + name);
    parsed.otherwise_ = parsed.end_reason(answer);
    const bool died =
        parsed.otherwise_.why == Missing::crashed || parsed.otherwise_.why == Missing::timed_out;
    if (died && !parsed.unanswered_.empty()) {
        parsed.failed_call_ =
            Known<std::string>(parsed.unanswered_, {"whygpu _ask " + name, 0, parsed.unanswered_});
    } else if (died || answer.missing) {
        parsed.failed_call_ = Known<std::string>::missing(parsed.otherwise_.why, parsed.otherwise_.because);
    } else {
        parsed.failed_call_ = Known<std::string>::missing(Missing::absent, "no call crashed or hung");
    }
    return parsed;
}

void DriverAnswer::read(const Answer& answer, const std::string& origin) {
    int number = 0;
    for (std::string_view line : lines_of(answer.text)) {
        ++number;
        std::optional<Json> json = object_in(line);
        if (!json || entries_.size() >= max_entries) {
            continue;
        }
        const std::string begun = shown_call(*json, "begin");
        if (!begun.empty()) {
            unanswered_ = begun;
            continue;
        }
        const std::string call = json->text("call");
        if (call.empty()) {
            continue;
        }
        if (shown_call(*json, "call") == unanswered_) {
            unanswered_.clear();
        }
        const std::optional<std::int64_t> device = integer_at(*json, "device");
        Source source{origin, number, quoted_line(*json, line)};
        entries_.push_back({call, device, std::move(*json), std::move(source)});
    }
}

DriverAnswer::Reason DriverAnswer::end_reason(const Answer& answer) const {
    const bool died = answer.missing == Missing::crashed || answer.missing == Missing::timed_out;
    if (died && !unanswered_.empty()) {
        return {*answer.missing, unanswered_ + ": " + answer.because};
    }
    if (answer.missing) {
        return {*answer.missing, answer.because};
    }
    if (answer.truncated) {
        return {Missing::malformed, "the answer was cut short"};
    }
    if (!unanswered_.empty()) {
        return {Missing::crashed, unanswered_ + ": the driver library ended the process"};
    }
    const Entry* loading = last("dlopen", std::nullopt);
    if (loading == nullptr) {
        return {Missing::malformed, "the child ended with exit code " + std::to_string(answer.exit_code) +
                                        " and said nothing about the driver library"};
    }
    const std::string error = load_error(loading->json);
    if (!error.empty()) {
        return {missing_from_load(loading->json.text("reason")), error};
    }
    // What comes later was not tried because something failed: the last such call is the reason to name.
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
        const std::optional<std::int64_t> code = integer_at(entry->json, "code");
        if (code && *code != 0 && !entry->device) {
            return {Missing::not_asked,
                    "not tried after " + entry->call + " gave " + described_code(entry->json)};
        }
    }
    return {Missing::not_asked, "not asked"};
}

const DriverAnswer::Entry* DriverAnswer::last(std::string_view call, std::optional<int> device) const {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
        return entry.call == call && (!device || entry.device == *device);
    });
    return found != entries_.rend() ? &*found : nullptr;
}

Known<std::string> DriverAnswer::library() const {
    const Entry* loading = last("dlopen", std::nullopt);
    if (loading == nullptr || unanswered_ == "dlopen") {
        return Known<std::string>::missing(otherwise_.why, otherwise_.because);
    }
    const std::string error = load_error(loading->json);
    if (!error.empty()) {
        return Known<std::string>::missing(missing_from_load(loading->json.text("reason")), error,
                                           loading->source);
    }
    const std::string file = loading->json.text("file");
    if (file.empty()) {
        return Known<std::string>::missing(Missing::malformed, "dlopen came without a file", loading->source);
    }
    return Known<std::string>(file, loading->source);
}

// By name, not number: CUDA and NVML number the same refusals differently.
DriverAnswer::Reason DriverAnswer::refusal(const Entry& entry) {
    const std::string name = entry.json.text("name");
    const std::string because = entry.call + " gave " + described_code(entry.json);
    if (contains(name, "NOT_SUPPORTED") || contains(name, "NotSupported")) {
        return {Missing::unsupported, because};
    }
    if (contains(name, "NO_PERMISSION") || contains(name, "NOT_PERMITTED")) {
        return {Missing::denied, because};
    }
    return {name == "NVML_ERROR_TIMEOUT" ? Missing::timed_out : Missing::absent, because};
}

DriverAnswer::Reply DriverAnswer::reply(std::string_view call, std::optional<int> device) const {
    const Entry* entry = last(call, device);
    if (entry == nullptr) {
        // The first call about a device fetches its handle; without one nothing else can be asked.
        const auto first = std::ranges::find_if(
            entries_, [&](const Entry& each) { return device && each.device == *device; });
        const bool no_handle = first != entries_.end() && integer_at(first->json, "code").value_or(0) != 0;
        return no_handle ? Reply{nullptr, refusal(*first), first->source} : Reply{nullptr, otherwise_, {}};
    }
    if (entry->json.find("missing_symbol") != nullptr) {
        const std::string because = "this driver library has no " + std::string(call);
        return {nullptr, {Missing::unsupported, because}, entry->source};
    }
    if (!integer_at(entry->json, "code")) {
        return {nullptr, {Missing::malformed, std::string(call) + " has no code"}, entry->source};
    }
    return {entry, {}, entry->source};
}

template <class T, class Read>
Known<T> DriverAnswer::value(std::string_view call, std::string_view key, std::optional<int> device,
                             Read read) const {
    const Reply found = reply(call, device);
    if (found.entry == nullptr) {
        return Known<T>::missing(found.reason.why, found.reason.because, found.source);
    }
    const Json& json = found.entry->json;
    const Json* member = json.find(key);
    // The child writes values only where they are valid, whatever the code.
    if (member == nullptr && integer_at(json, "code") != 0) {
        const Reason reason = refusal(*found.entry);
        return Known<T>::missing(reason.why, reason.because, found.source);
    }
    const std::optional<T> value = member != nullptr ? read(*member) : std::nullopt;
    if (!value) {
        const std::string because = std::string(call) + " came without a sensible " + std::string(key);
        return Known<T>::missing(Missing::malformed, because, found.source);
    }
    return Known<T>(*value, found.source);
}

Known<std::int64_t> DriverAnswer::number(std::string_view call, std::string_view key,
                                         std::optional<int> device) const {
    return value<std::int64_t>(call, key, device, [](const Json& member) {
        const std::int64_t* number = member.as_int();
        return number != nullptr && *number >= 0 ? std::optional<std::int64_t>(*number) : std::nullopt;
    });
}

Known<std::int64_t> DriverAnswer::signed_number(std::string_view call, std::string_view key,
                                                std::optional<int> device) const {
    return value<std::int64_t>(call, key, device, [](const Json& member) {
        const std::int64_t* number = member.as_int();
        return number != nullptr ? std::optional<std::int64_t>(*number) : std::nullopt;
    });
}

Known<std::string> DriverAnswer::text(std::string_view call, std::string_view key,
                                      std::optional<int> device) const {
    return value<std::string>(call, key, device, [](const Json& member) {
        const std::string* text = member.as_string();
        return text != nullptr && !text->empty() ? std::optional<std::string>(*text) : std::nullopt;
    });
}

Known<std::vector<std::string>> DriverAnswer::texts(std::string_view call, std::string_view key,
                                                    std::optional<int> device) const {
    using Texts = std::vector<std::string>;
    return value<Texts>(call, key, device, [](const Json& member) {
        Texts texts;
        const Json::Array* array = member.as_array();
        for (const Json& element : array != nullptr ? *array : Json::Array{}) {
            if (const std::string* text = element.as_string()) {
                texts.push_back(*text);
            }
        }
        const bool sensible = array != nullptr && texts.size() == array->size();
        return sensible ? std::optional<Texts>(texts) : std::nullopt;
    });
}

Known<std::int64_t> DriverAnswer::code(std::string_view call) const {
    return signed_number(call, "code");
}

Known<std::string> DriverAnswer::code_name(std::string_view call) const {
    return value<std::string>(call, "name", std::nullopt, [](const Json& member) {
        const std::string* name = member.as_string();
        return name != nullptr && !name->empty() ? std::optional<std::string>(*name) : std::nullopt;
    });
}

Known<std::string> DriverAnswer::cuda_version(std::string_view call) const {
    const Known<std::int64_t> version = number(call, "version");
    if (!version) {
        return Known<std::string>::missing_like(version);
    }
    if (*version < 1000) {
        return Known<std::string>::missing(Missing::malformed, std::string(call) + " gave no CUDA version",
                                           version.source());
    }
    // 1000 * major + 10 * minor
    const std::string text = std::to_string(*version / 1000) + "." + std::to_string(*version % 1000 / 10);
    return Known<std::string>(text, version.source());
}

Known<bool> DriverAnswer::gave(std::string_view code_name, int device) const {
    const Entry* about = nullptr;
    for (const Entry& entry : entries_) {
        if (entry.device != device || !integer_at(entry.json, "code")) {
            continue;
        }
        if (entry.json.text("name") == code_name) {
            return Known<bool>(true, entry.source);
        }
        about = &entry;
    }
    return about != nullptr ? Known<bool>(false, about->source)
                            : Known<bool>::missing(otherwise_.why, otherwise_.because);
}

Known<std::int64_t> DriverAnswer::device_count(std::string_view count_call,
                                               std::string_view start_call) const {
    const Reply start = reply(start_call, std::nullopt);
    if (start.entry != nullptr && integer_at(start.entry->json, "code") != 0) {
        const Reason reason = refusal(*start.entry);
        return Known<std::int64_t>::missing(Missing::absent, reason.because, start.source);
    }
    const Known<std::int64_t> count = number(count_call, "count");
    return count && *count > max_devices ? Known<std::int64_t>(max_devices, count.source()) : count;
}

Known<std::vector<DriverAnswer::NodeError>> DriverAnswer::node_errors() const {
    using Errors = std::vector<NodeError>;
    const Entry* any = last("open", std::nullopt);
    if (any == nullptr) {
        return Known<Errors>::missing(otherwise_.why, otherwise_.because);
    }
    Errors errors;
    for (const Entry& entry : entries_) {
        const std::string path = entry.json.text("path");
        const std::string error = entry.json.text("name");
        const bool known =
            std::ranges::any_of(errors, [&](const NodeError& each) { return each.path == path; });
        if (entry.call == "open" && path.starts_with("/dev/") && !error.empty() && !known &&
            errors.size() < max_node_errors) {
            errors.push_back({path, error, entry.source});
        }
    }
    return Known<Errors>(std::move(errors), any->source);
}

Known<std::string> DriverAnswer::failed_call() const {
    return failed_call_;
}

}  // namespace whygpu
