#include "units/document.h"

#include "base/json.h"
#include "base/text.h"
#include "units/prose.h"

namespace whygpu {

namespace {

std::optional<Severity> severity_from(std::string_view name) {
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        if (name == name_of(severity)) {
            return severity;
        }
    }
    return std::nullopt;
}

std::optional<Safety> safety_from(std::string_view name) {
    for (const Safety safety : {Safety::safe, Safety::caution, Safety::disruptive}) {
        if (name == name_of(safety)) {
            return safety;
        }
    }
    return std::nullopt;
}

bool flag(const Json& row, std::string_view key) {
    const Json* value = row.find(key);
    return value != nullptr && value->as_bool() != nullptr && *value->as_bool();
}

Result<FixRow> fix_row(const Json& row) {
    FixRow fix;
    fix.step = row.text("step");
    fix.when = row.texts("when");
    fix.commands = row.texts("commands");
    const std::optional<Safety> safety = safety_from(row.text("safety"));
    if (fix.step.empty() || !safety) {
        return fail(ErrorCode::invalid_input,
                    "[[fix]] needs a step and a safety: safe, caution or disruptive");
    }
    fix.safety = *safety;
    fix.needs_root = flag(row, "needs_root");
    fix.reboot = flag(row, "reboot");
    fix.undo = row.texts("undo");
    return fix;
}

Result<void> read_rows(const Json& front, Document& document) {
    const Json* fixes = front.find("fix");
    if (fixes != nullptr && fixes->as_array() != nullptr) {
        for (const Json& row : *fixes->as_array()) {
            Result<FixRow> fix = fix_row(row);
            if (!fix) {
                return fail(fix.error(), "fix");
            }
            document.fixes.push_back(std::move(*fix));
        }
    }
    const Json* verify = front.find("verify");
    if (verify != nullptr && verify->as_array() != nullptr) {
        for (const Json& row : *verify->as_array()) {
            document.verify.push_back(VerifyRow{row.texts("when"), row.texts("commands")});
        }
    }
    const Json* predictions = front.find("predict");
    if (predictions != nullptr && predictions->as_array() != nullptr) {
        for (const Json& row : *predictions->as_array()) {
            document.predictions.push_back(PredictRow{row.texts("when"), row.texts("assume")});
        }
    }
    return {};
}

Result<void> read_front_matter(std::string_view text, UnitKind kind, Document& document) {
    const Result<Json> front = parse_toml(text);
    if (!front) {
        return fail(front.error(), "front matter");
    }
    document.id = front->text("id");
    document.section = front->text("section");
    document.since = front->text("since");
    document.applies = front->texts("applies");
    document.needs = front->texts("needs");
    document.explains = front->texts("explains");
    document.sources = front->texts("sources");
    if (document.id.empty()) {
        return fail(ErrorCode::invalid_input, "front matter has no id");
    }
    if (kind == UnitKind::probe) {
        return {};
    }
    const std::optional<Severity> severity = severity_from(front->text("severity"));
    if (!severity) {
        return fail(ErrorCode::invalid_input, "front matter has no severity: error, warning or note");
    }
    document.severity = *severity;
    return read_rows(*front, document);
}

Result<void> read_chinese(std::string_view markdown, Document& document) {
    if (markdown.empty()) {
        return {};
    }
    const std::optional<MarkdownParts> parts = cut_markdown(markdown);
    if (!parts) {
        return fail(ErrorCode::invalid_input, "the translation has no front matter between +++ lines");
    }
    const Result<Json> front = parse_toml(parts->front_matter);
    if (!front) {
        return fail(front.error(), "front matter of the translation");
    }
    document.translates = front->text("translates");
    Result<Prose> prose = parse_prose(parts->prose, Language::chinese);
    if (!prose) {
        return fail(prose.error(), "translation");
    }
    document.chinese = std::move(*prose);
    return {};
}

}  // namespace

std::string_view prose_of(std::string_view markdown) {
    const std::optional<MarkdownParts> parts = cut_markdown(markdown);
    return parts ? parts->prose : std::string_view{};
}

Result<Document> parse_document(const UnitSource& source) {
    const std::optional<MarkdownParts> parts = cut_markdown(source.english);
    if (!parts) {
        return fail(ErrorCode::invalid_input,
                    std::string(source.path) + ": no front matter between +++ lines");
    }
    Document document;
    if (Result<void> front = read_front_matter(parts->front_matter, source.kind, document); !front) {
        return fail(front.error(), source.path);
    }
    Result<Prose> prose = parse_prose(parts->prose, Language::english);
    if (!prose) {
        return fail(prose.error(), source.path);
    }
    document.english = std::move(*prose);
    document.english_hash = content_hash(parts->prose);
    if (Result<void> chinese = read_chinese(source.chinese, document); !chinese) {
        return fail(chinese.error(), source.path);
    }
    return document;
}

}  // namespace whygpu
