#include "host/snapshot_format.h"

#include <charconv>
#include <optional>

#include "base/text.h"
#include "host/base64.h"
#include "host/body_text.h"

namespace whygpu {

namespace {

constexpr std::size_t records_limit = 200000;
constexpr std::string_view marker = "==";

// ---- writing ----

std::string header_of(const Query& query) {
    std::string line = "== " + std::string(name_of(query.kind));
    if (!query.argument.empty()) {
        line += " " + escaped_header_text(query.argument);
    }
    return line;
}

std::string attributes_of(const Answer& answer, bool plain) {
    std::vector<std::string> attributes;
    if (answer.missing) {
        attributes.push_back(std::string(name_of(*answer.missing)) + ": " +
                             escaped_header_text(answer.because));
    }
    if (answer.exit_code != 0) {
        attributes.push_back("exit " + std::to_string(answer.exit_code));
    }
    if (answer.truncated) {
        attributes.push_back("truncated");
    }
    if (!plain) {
        attributes.push_back("base64");
    } else if (!answer.text.empty() && answer.text.back() != '\n') {
        attributes.push_back("no newline");
    }
    return attributes.empty() ? "" : " [" + join(attributes, "; ") + "]";
}

std::string body_of(const Answer& answer, bool plain) {
    if (!plain) {
        return to_base64(answer.text);
    }
    std::string body;
    for (std::string_view line : lines_of(answer.text)) {
        body += line.starts_with(marker) || line.starts_with('\\') ? "\\" : "";
        body += line;
        body += '\n';
    }
    return body;
}

// ---- reading ----

struct Attributes {
    Answer answer;  ///< without text
    bool base64 = false;
    bool no_newline = false;
};

/// Takes one attribute in; false when it is none.
bool read_attribute(std::string_view text, Attributes& attributes) {
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (const std::optional<Missing> why = missing_from(name)) {
        attributes.answer.missing = why;
        // "denied" alone is for people who write by hand; the writer always gives a reason.
        const std::string_view reason = colon == std::string_view::npos ? name : text.substr(colon + 1);
        attributes.answer.because = unescaped_header_text(after_prefix(reason, " ").value_or(reason));
        return true;
    }
    if (const std::optional<std::string_view> number = after_prefix(text, "exit ")) {
        const char* const end = number->data() + number->size();
        const std::from_chars_result parsed =
            std::from_chars(number->data(), end, attributes.answer.exit_code);
        return parsed.ec == std::errc() && parsed.ptr == end;
    }
    attributes.answer.truncated = attributes.answer.truncated || text == "truncated";
    attributes.base64 = attributes.base64 || text == "base64";
    attributes.no_newline = attributes.no_newline || text == "no newline";
    return text == "truncated" || text == "base64" || text == "no newline";
}

std::optional<Attributes> read_attributes(std::string_view text) {
    Attributes attributes;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find("; "), text.size());
        if (!read_attribute(text.substr(0, end), attributes)) {
            return std::nullopt;
        }
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    return attributes;
}

class Parser {
public:
    explicit Parser(std::string_view text) : rest_(text) {}

    Result<RecordedAnswers> parse() {
        while (!rest_.empty() && !rest_.starts_with(marker)) {
            const std::string_view line = trimmed(next_line());
            if (!line.empty() && !line.starts_with('#')) {
                return failure("text before the first record");
            }
        }
        while (!rest_.empty()) {
            if (Result<void> record = read_record(); !record) {
                return tl::unexpected<Error>(record.error());
            }
        }
        return std::move(out_);
    }

private:
    tl::unexpected<Error> failure(const std::string& message) const {
        return fail(ErrorCode::invalid_input, "line " + std::to_string(line_) + ": " + message);
    }

    std::string_view next_line() {
        ++line_;
        const std::size_t end = rest_.find('\n');
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        return line;
    }

    Result<void> read_record() {
        std::optional<std::string_view> header = after_prefix(next_line(), "== ");
        if (!header) {
            return failure("a record starts with '== '; a text line that does, with '\\=='");
        }
        if (out_.records.size() >= records_limit) {
            return fail(ErrorCode::too_large, "more than " + std::to_string(records_limit) + " records");
        }
        Attributes attributes;
        const std::size_t bracket = header->ends_with(']') ? header->find(" [") : std::string_view::npos;
        if (bracket != std::string_view::npos) {
            const std::string_view inside = header->substr(bracket + 2, header->size() - bracket - 3);
            const std::optional<Attributes> read = read_attributes(inside);
            if (!read) {
                return failure("unknown attribute in [" + std::string(inside.substr(0, 80)) + "]");
            }
            attributes = *read;
            header = header->substr(0, bracket);
        }
        return store(*header, std::move(attributes));
    }

    Result<void> store(std::string_view header, Attributes attributes) {
        const std::size_t space = std::min(header.find(' '), header.size());
        const std::string_view kind_name = header.substr(0, space);
        const std::string argument = unescaped_header_text(header.substr(std::min(space + 1, header.size())));
        if (kind_name == "absent") {
            out_.absent_prefixes.push_back(argument);
            return skip_blank_body();
        }
        const std::optional<QueryKind> kind = query_kind_from(kind_name);
        if (!kind) {
            return failure("'" + std::string(kind_name.substr(0, 40)) + "' is no kind of question");
        }
        if (Result<void> body = read_body(attributes); !body) {
            return body;
        }
        out_.records.emplace(Query{*kind, argument}, std::move(attributes.answer));
        return {};
    }

    Result<void> skip_blank_body() {
        while (!rest_.empty() && !rest_.starts_with(marker)) {
            if (!trimmed(next_line()).empty()) {
                return failure("an absent path has no text");
            }
        }
        return {};
    }

    Result<void> read_body(Attributes& attributes) {
        std::string& text = attributes.answer.text;
        while (!rest_.empty() && !rest_.starts_with(marker)) {
            const std::string_view line = next_line();
            text += after_prefix(line, "\\").value_or(line);
            text += '\n';
        }
        if (attributes.base64) {
            const std::optional<std::string> bytes = from_base64(text);
            if (!bytes) {
                return failure("the text above is no base64");
            }
            text = *bytes;
        } else if (attributes.no_newline && !text.empty()) {
            text.pop_back();
        }
        return {};
    }

    std::string_view rest_;
    int line_ = 0;
    RecordedAnswers out_;
};

}  // namespace

std::string format_answers(const Records& records) {
    std::string text;
    for (const auto& [query, answer] : records) {
        const bool plain = is_plain_text(answer.text);
        text += header_of(query) + attributes_of(answer, plain) + "\n" + body_of(answer, plain);
    }
    return text;
}

Result<RecordedAnswers> parse_answers(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace whygpu
