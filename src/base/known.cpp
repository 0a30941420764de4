#include "base/known.h"

#include <array>

namespace whygpu {

namespace {

struct Name {
    Missing why;
    std::string_view text;
};

constexpr std::array<Name, 7> names = {{
    {Missing::absent, "absent"},
    {Missing::denied, "denied"},
    {Missing::unsupported, "unsupported"},
    {Missing::malformed, "malformed"},
    {Missing::timed_out, "timed_out"},
    {Missing::crashed, "crashed"},
    {Missing::not_asked, "not_asked"},
}};

}  // namespace

std::string_view name_of(Missing why) {
    for (const Name& name : names) {
        if (name.why == why) {
            return name.text;
        }
    }
    bug("unnamed kind of missing fact");
}

std::optional<Missing> missing_from(std::string_view text) {
    for (const Name& name : names) {
        if (name.text == text) {
            return name.why;
        }
    }
    return std::nullopt;
}

}  // namespace whygpu
