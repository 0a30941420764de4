#include <algorithm>

#include "base/text.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "probes/hypervisor.h"
#include "probes/platform.h"

namespace whygpu::probes::os {

namespace {

using Text = Known<std::string>;
using Names = std::vector<std::string>;

// ---- os-release ----

// A value as a shell would read it: quotes fall away, a backslash keeps the character behind it
// (in single quotes it is one itself).
std::string unquoted(std::string_view text) {
    const char quote = !text.empty() && (text[0] == '"' || text[0] == '\'') ? text[0] : '\0';
    std::string out;
    for (std::size_t at = quote == '\0' ? 0 : 1; at < text.size(); ++at) {
        if (text[at] == quote) {
            break;
        }
        if (text[at] == '\\' && quote != '\'' && at + 1 < text.size()) {
            ++at;
        }
        out += text[at];
    }
    return out;
}

// Distributions without /etc/os-release keep the file in /usr/lib, which is where the first is
// usually a link to.
Text os_release(Host& host) {
    const Text first = read_file(host, "/etc/os-release");
    if (first || first.why() != Missing::absent) {
        return first;
    }
    const Text second = read_file(host, "/usr/lib/os-release");
    return second ? second : first;
}

// The last assignment counts, as it does for a shell. Rolling distributions have no VERSION_ID.
Text assigned(const Text& content, const std::string& key) {
    if (!content) {
        return content;
    }
    Text found = Text::missing(Missing::absent, "no " + key + " in os-release", content.source());
    int number = 0;
    for (const std::string_view raw : lines_of(*content)) {
        ++number;
        const std::string_view line = trimmed(raw);
        const std::optional<std::string_view> value = after_prefix(line, key + "=");
        const std::string plain = value ? unquoted(*value) : "";
        if (!plain.empty()) {
            found = Text(plain, Source{content.source().origin, number, std::string(line)});
        }
    }
    return found;
}

void read_distribution(Host& host, OsFacts& os) {
    const Text content = os_release(host);
    os.id = assigned(content, "ID");
    os.like = assigned(content, "ID_LIKE");
    os.version = assigned(content, "VERSION_ID");
    os.name = assigned(content, "PRETTY_NAME");
    if (!os.name && content) {
        os.name = assigned(content, "NAME");
    }
}

// ---- Jetson ----

Known<bool> contains_word(const Text& content, std::string_view word) {
    if (content) {
        return Known<bool>(contains(*content, word), Source{content.source().origin, 0, std::string(word)});
    }
    return content.why() == Missing::absent ? Known<bool>(false, content.source())
                                            : Known<bool>::missing_like(content);
}

// Any of three signs will do; containers for Jetson see only some of them.
Known<bool> jetson(Host& host) {
    const std::vector<Known<bool>> signs = {
        exists(host, "/etc/nv_tegra_release"),
        contains_word(read_file(host, "/proc/device-tree/compatible"), "nvidia,tegra"),
        contains_word(read_file(host, "/sys/devices/soc0/family"), "Tegra"),
    };
    for (const Known<bool>& sign : signs) {
        if (sign.is(true)) {
            return sign;
        }
    }
    const auto unknown = std::ranges::find_if(signs, [](const Known<bool>& sign) { return !sign.known(); });
    return unknown == signs.end() ? signs.front() : *unknown;
}

// ---- the user ----

// /etc/group: "video:x:44:alice,bob". Groups of a directory server are not in it: their numbers stay.
std::map<std::string, std::string> group_names(Host& host) {
    std::map<std::string, std::string> names;
    const Text content = read_file(host, "/etc/group");
    if (!content) {
        return names;
    }
    for (const std::string_view line : lines_of(*content)) {
        const std::vector<std::string_view> fields = split(line, ':');
        if (fields.size() >= 3 && !fields[0].empty()) {
            names.emplace(fields[2], fields[0]);
        }
    }
    return names;
}

Known<Names> groups(Host& host, const Known<std::map<std::string, std::string>>& user) {
    if (!user) {
        return Known<Names>::missing_like(user);
    }
    const auto numbers = user->find("groups");
    if (numbers == user->end()) {
        return Known<Names>::missing(Missing::malformed, "no groups were named", user.source());
    }
    const std::map<std::string, std::string> names = group_names(host);
    Names out;
    for (const std::string_view number : split(numbers->second, ',')) {
        const auto name = names.find(std::string(number));
        if (!number.empty()) {
            out.push_back(name == names.end() ? std::string(number) : name->second);
        }
    }
    return Known<Names>(out, user.source());
}

Known<std::int64_t> user_id(const Known<std::map<std::string, std::string>>& user) {
    if (!user) {
        return Known<std::int64_t>::missing_like(user);
    }
    const auto found = user->find("uid");
    const std::optional<std::int64_t> id = found == user->end() ? std::nullopt : parse_int(found->second);
    return id ? Known<std::int64_t>(*id, user.source())
              : Known<std::int64_t>::missing(Missing::malformed, "no user id was named", user.source());
}

}  // namespace

void probe(Host& host, Facts& facts) {
    OsFacts& os = facts.os;
    read_distribution(host, os);
    os.architecture = platform_value(host, "machine");
    os.hypervisor = hypervisor(host);
    os.jetson = jetson(host);
    const Known<std::map<std::string, std::string>> user = key_values(host, QueryKind::user);
    os.user_id = user_id(user);
    os.groups = groups(host, user);
}

}  // namespace whygpu::probes::os
