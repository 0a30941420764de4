#include "units/library.h"

namespace whygpu {

Result<UnitLibrary> UnitLibrary::load() {
    UnitLibrary library;
    for (const UnitSource& source : unit_sources()) {
        Result<Document> document = parse_document(source);
        if (!document) {
            return fail(document.error(), "unit");
        }
        if (source.kind == UnitKind::rule) {
            library.rules_.push_back(RuleUnit{std::move(*document), source.rule});
        } else {
            library.probes_.push_back(ProbeUnit{std::move(*document), source.probe});
        }
    }
    return library;
}

const Document* UnitLibrary::find(std::string_view id) const {
    for (const RuleUnit& rule : rules_) {
        if (rule.document.id == id) {
            return &rule.document;
        }
    }
    return nullptr;
}

}  // namespace whygpu
