#include "host/host.h"

#include <array>

#include "base/bug.h"

namespace whygpu {

namespace {

struct Name {
    QueryKind kind;
    std::string_view text;
};

constexpr std::array<Name, 11> names = {{
    {QueryKind::file, "file"},
    {QueryKind::directory, "directory"},
    {QueryKind::link, "link"},
    {QueryKind::status, "status"},
    {QueryKind::variables, "variables"},
    {QueryKind::user, "user"},
    {QueryKind::platform, "platform"},
    {QueryKind::command, "command"},
    {QueryKind::kernel_log, "kernel_log"},
    {QueryKind::pci_name, "pci_name"},
    {QueryKind::driver, "driver"},
}};

}  // namespace

std::string_view name_of(QueryKind kind) {
    for (const Name& name : names) {
        if (name.kind == kind) {
            return name.text;
        }
    }
    bug("unnamed kind of query");
}

std::optional<QueryKind> query_kind_from(std::string_view text) {
    for (const Name& name : names) {
        if (name.text == text) {
            return name.kind;
        }
    }
    return std::nullopt;
}

}  // namespace whygpu
