// Units and tables may be added by a user's own folder one day, and toml++ had faults that plain texts
// reach: no text may crash the readers. The input is an English document, or one and its translation
// with the byte 1E between them.

#include <string>

#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "check.h"
#include "units/document.h"
#include "units/prose.h"

using namespace whygpu;
using fuzz::require;

namespace {

constexpr char separator = '\x1E';

void check_cut(std::string_view markdown) {
    const std::optional<MarkdownParts> parts = cut_markdown(markdown);
    if (!parts) {
        return;
    }
    const std::size_t size = parts->front_matter.size() + parts->prose.size() + parts->cases.size();
    require(size < markdown.size(), "the parts lie in the document");
    require(markdown.ends_with(std::string(parts->prose) + std::string(parts->cases)),
            "prose and cases are the end of the document");
    require(prose_of(markdown) == parts->prose, "one way to cut");
}

void check_document(UnitKind kind, std::string_view english, std::string_view chinese) {
    const UnitSource source{kind, "fuzz/unit", english, chinese, nullptr, nullptr};
    const Result<Document> document = parse_document(source);
    if (!document) {
        require(contains(document.error().message, "fuzz/unit"), "an error names the unit");
        return;
    }
    require(!document->id.empty() && !document->english.title.empty(), "a document has id and title");
    require(document->chinese.has_value() == !chinese.empty(), "a translation is read or refused");
    placeholders_of(document->english.title);
    for (const FixRow& row : document->fixes) {
        require(!row.step.empty(), "a step has a name");
    }
}

void check_toml(std::string_view text) {
    if (const Result<Json> tree = parse_toml(text)) {
        require(parse_json(to_text(*tree, 2)).has_value(), "what TOML gives can be written as JSON");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::size_t cut = std::min(text.find(separator), text.size());
    const std::string_view english = text.substr(0, cut);
    const std::string_view chinese = text.substr(std::min(cut + 1, text.size()));
    check_cut(english);
    check_document(UnitKind::rule, english, chinese);
    check_document(UnitKind::probe, english, chinese);
    check_toml(text);
    if (const Result<Table> table = Table::parse(text); table && table->size() > 0) {
        table->row(0).items(table->columns().front());
    }
    return 0;
}
