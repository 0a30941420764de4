#include "findings/finding.h"

#include <utility>

#include "base/bug.h"

namespace whygpu {

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::error:
            return "error";
        case Severity::warning:
            return "warning";
        case Severity::note:
            return "note";
    }
    bug("unnamed severity");
}

std::string_view name_of(Confidence confidence) {
    switch (confidence) {
        case Confidence::certain:
            return "certain";
        case Confidence::likely:
            return "likely";
        case Confidence::possible:
            return "possible";
    }
    bug("unnamed confidence");
}

std::string_view name_of(Role role) {
    switch (role) {
        case Role::root:
            return "root";
        case Role::contributing:
            return "contributing";
        case Role::consequence:
            return "consequence";
        case Role::note:
            return "note";
    }
    bug("unnamed role");
}

std::string_view name_of(Safety safety) {
    switch (safety) {
        case Safety::safe:
            return "safe";
        case Safety::caution:
            return "caution";
        case Safety::disruptive:
            return "disruptive";
    }
    bug("unnamed safety");
}

Verdict fired(Finding finding) {
    std::vector<Finding> findings;
    findings.push_back(std::move(finding));
    return fired(std::move(findings));
}

Verdict fired(std::vector<Finding> findings) {
    Verdict verdict;
    verdict.kind = findings.empty() ? Verdict::Kind::clear : Verdict::Kind::fired;
    verdict.findings = std::move(findings);
    return verdict;
}

Verdict clear() {
    return Verdict{};
}

Verdict not_applicable(std::string reason) {
    Verdict verdict;
    verdict.kind = Verdict::Kind::not_applicable;
    verdict.reason = std::move(reason);
    return verdict;
}

Verdict unknown(std::vector<std::string> missing) {
    Verdict verdict;
    verdict.kind = Verdict::Kind::unknown;
    verdict.missing = std::move(missing);
    return verdict;
}

}  // namespace whygpu
