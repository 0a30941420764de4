#include "host/redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "host/redact_addresses.h"
#include "host/redact_containers.h"
#include "host/redact_names.h"

// What must not leave the machine, as text patterns. The rules lean to taking too much out, except
// where evidence lives: versions, PCI addresses, model names, library paths. Secrets come first, then
// numbers that identify, then names, so that a name inside a token cannot break the token's pattern.
// Patterns see bytes (Latin-1), so invalid UTF-8 hides nothing. RE2 keeps each pass linear.

namespace whygpu {

namespace {

/// A pattern and what stands in its place; \1 is its first group.
struct Rule {
    const char* pattern;
    const char* replacement;
};

constexpr Rule secret_rules[] = {
    {R"((://)[^/\s:@"'<>]*(?::[^\s"']*)?@)", R"(\1<secret>@)"},
    {R"(\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)", "<secret>"},
    {R"(\b(?:hf_|npm_|gh[opsur]_|github_pat_)\w{16,})", "<secret>"},
    {R"(\b(?:glpat-|nvapi-|xox[a-z]-|sk-|rk_live_|sk_live_|pypi-|dckr_pat_|AIza)[\w-]{16,})", "<secret>"},
    {R"(\b(?:AKIA|ASIA)[0-9A-Z]{16}\b)", "<secret>"},
    {R"((?i)\b(bearer[ \t]+)[\w.~+/=-]{8,})", R"(\1<secret>)"},
    {R"((?i)(\bauthorization\\?["']?[ \t]*[:=][ \t]*\\?["']?)[^\n"']+)", R"(\1<secret>)"},
    // NAME=value, "name": "value" and the same inside a JSON string, \"name\": \"value\"
    {R"((?i)((?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?))"
     R"(\\?["']?[ \t]*[:=][ \t]*)(?:(\\?["'])[^"'\n]+|[^\s,;&"'=\\][^\s,;&"']*))",
     R"(\1\2<secret>)"},
    {R"((?i)(key\\?["']?=\\?["']?)[^\s,;&"'=][^\s,;&"']*)", R"(\1<secret>)"},
    {R"((?:\bssh-(?:rsa|dss|ed25519)|\becdsa-sha2-\S+|\bsk-\S+) AAAA[\w+/=]+(?:[ \t]+\S+@\S+)?)", "<key>"},
    {R"(\bSHA256:[\w+/]{43})", "<secret>"},
};

constexpr Rule place_rules[] = {
    {R"((/home/)[^/\s:"',;<>]+)", R"(\1<user>)"},
    // Windows accounts, seen from WSL, may hold spaces.
    {R"(([/\\]Users[/\\]+)[^/\\:;\s"'<>]+(?: [^/\\:;\s"'<>]+){1,2}([/\\]))", R"(\1<user>\2)"},
    {R"(([/\\]Users[/\\]+)[^/\\:;\s"'<>]+)", R"(\1<user>)"},
    {R"(\b(?:0x)?[0-9a-fA-F]{32,}\b)", "<hex>"},
};

constexpr const char* uuid_pattern = R"((?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b)";
constexpr const char* mac_pattern =
    R"((?i)\b(?:(?:[0-9a-f]{2}:){5,19}[0-9a-f]{2}|(?:[0-9a-f]{2}-){5,7}[0-9a-f]{2})\b)";
constexpr const char* ipv6_pattern = R"([0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})";
constexpr const char* ipv4_pattern = R"([0-9]{1,3}(?:\.[0-9]{1,3}){3})";
constexpr const char* email_pattern = R"([\w.+%-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})";
constexpr const char* serial_pattern = R"((?i)serial[^\n]{0,80})";

/// GUIDs of the UEFI specification and of shim: part of the names of public EFI variables.
constexpr std::array<std::string_view, 2> public_uuids = {"8be4df61-93ca-11d2-aa0d-00e098032b8c",
                                                          "605dab50-e046-4300-abb6-3dd810dd8b23"};

/// "getty@tty1.service" is no address.
constexpr std::array<std::string_view, 9> unit_suffixes = {
    ".service", ".socket", ".mount", ".timer", ".target", ".slice", ".path", ".scope", ".device"};

constexpr std::size_t shortest_marked_serial = 5;
constexpr std::size_t shortest_serial = 6;

struct CompiledRule {
    std::unique_ptr<RE2> pattern;
    std::string replacement;
};

std::unique_ptr<RE2> compiled(const char* pattern) {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    return std::make_unique<RE2>(pattern, options);
}

struct Patterns {
    std::vector<CompiledRule> secrets;
    std::vector<CompiledRule> places;
    std::unique_ptr<RE2> uuid = compiled(uuid_pattern);
    std::unique_ptr<RE2> mac = compiled(mac_pattern);
    std::unique_ptr<RE2> ipv6 = compiled(ipv6_pattern);
    std::unique_ptr<RE2> ipv4 = compiled(ipv4_pattern);
    std::unique_ptr<RE2> email = compiled(email_pattern);
    std::unique_ptr<RE2> serial = compiled(serial_pattern);

    Patterns() {
        for (const Rule& rule : secret_rules) {
            secrets.push_back({compiled(rule.pattern), rule.replacement});
        }
        for (const Rule& rule : place_rules) {
            places.push_back({compiled(rule.pattern), rule.replacement});
        }
    }
};

const Patterns& patterns() {
    static const Patterns all;
    return all;
}

void apply(const std::vector<CompiledRule>& rules, std::string& text) {
    for (const CompiledRule& rule : rules) {
        RE2::GlobalReplace(&text, *rule.pattern, rule.replacement);
    }
}

/// Replaces each match by what `replacement(text, begin, end)` gives; nullopt leaves it.
template <class Replacement>
std::string replaced(const std::string& text, const RE2& pattern, Replacement replacement) {
    std::string out;
    std::size_t copied = 0;
    std::size_t at = 0;
    re2::StringPiece match;
    while (at < text.size() && pattern.Match(text, at, text.size(), RE2::UNANCHORED, &match, 1)) {
        const auto begin = static_cast<std::size_t>(match.data() - text.data());
        const std::size_t end = begin + match.size();
        if (const std::optional<std::string> value = replacement(text, begin, end)) {
            out.append(text, copied, begin - copied);
            out += *value;
            copied = end;
        }
        at = std::max(end, at + 1);
    }
    return copied == 0 ? text : out.append(text, copied);
}

using Replaced = std::optional<std::string>;

Replaced uuid_mark(std::string_view text, std::size_t begin, std::size_t end) {
    const std::string uuid = lower(text.substr(begin, end - begin));
    if (std::ranges::count(public_uuids, uuid) > 0) {
        return std::nullopt;
    }
    // 122 random bits cannot be found from 32 bits of hash, and CUDA_VISIBLE_DEVICES can still be
    // compared with the GPUs that it names.
    return "<uuid:" + content_hash(uuid).substr(0, 8) + ">";
}

Replaced ipv4_mark(std::string_view text, std::size_t begin, std::size_t end) {
    return is_ipv4_address(text, begin, end) ? Replaced("<ip>") : std::nullopt;
}

Replaced ipv6_mark(std::string_view text, std::size_t begin, std::size_t end) {
    const std::optional<std::size_t> start = ipv6_start(text, begin, end);
    return start ? Replaced(std::string(text.substr(begin, *start - begin)) + "<ip>") : std::nullopt;
}

Replaced email_mark(std::string_view text, std::size_t begin, std::size_t end) {
    const std::string_view address = text.substr(begin, end - begin);
    const auto is_end = [&](std::string_view suffix) { return address.ends_with(suffix); };
    return std::ranges::any_of(unit_suffixes, is_end) ? std::nullopt : Replaced("<email>");
}

constexpr std::string_view serial_chars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

/// The first run of letters and digits from `at` on that may be a serial number: begin and length.
std::optional<std::pair<std::size_t, std::size_t>> serial_in(std::string_view part, std::size_t at,
                                                             std::size_t shortest, bool only_first) {
    while ((at = part.find_first_of(serial_chars, at)) != std::string_view::npos) {
        const std::size_t end = std::min(part.find_first_not_of(serial_chars, at), part.size());
        const std::string_view token = part.substr(at, end - at);
        if (token.size() >= shortest && token.find_first_of("0123456789") != std::string_view::npos) {
            return std::pair(at, token.size());
        }
        if (only_first) {
            return std::nullopt;
        }
        at = end;
    }
    return std::nullopt;
}

/// A line from the word "serial" on. With a colon or equals sign after the word, only what follows
/// it can be the number ("SerialNumber=3" is an index); otherwise the first long one on the line.
Replaced serial_mark(std::string_view text, std::size_t begin, std::size_t end) {
    constexpr std::string_view word = "serial";
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t sign =
        part.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_# \t\"'\\");
    const bool names_chip = part.size() > word.size() && part[word.size()] >= '0' && part[word.size()] <= '9';
    if (sign == std::string_view::npos || names_chip) {
        return std::nullopt;  // "serial8250" is the kernel's driver
    }
    const bool marked = part[sign] == ':' || part[sign] == '=';
    const auto found = serial_in(part, marked ? sign + 1 : word.size(),
                                 marked ? shortest_marked_serial : shortest_serial, marked);
    if (!found) {
        return std::nullopt;
    }
    return std::string(part.substr(0, found->first)) + "<serial>" +
           std::string(part.substr(found->first + found->second));
}

/// PEM and PGP blocks, also the start of one that was cut off.
std::string without_key_blocks(const std::string& text) {
    constexpr std::string_view begin_mark = "-----BEGIN ";
    constexpr std::string_view end_mark = "-----END ";
    std::string out;
    std::size_t copied = 0;
    std::size_t begin = text.find(begin_mark);
    while (begin != std::string::npos) {
        const std::size_t closing = text.find(end_mark, begin);
        const std::size_t line_end =
            closing == std::string::npos ? closing : text.find("-----", closing + end_mark.size());
        const std::size_t end = line_end == std::string::npos ? text.size() : line_end + 5;
        out.append(text, copied, begin - copied);
        out += "<key>";
        copied = end;
        begin = text.find(begin_mark, end);
    }
    return out.append(text, copied);
}

bool asks_for_path(QueryKind kind) {
    return kind == QueryKind::file || kind == QueryKind::directory || kind == QueryKind::link ||
           kind == QueryKind::status;
}

/// Files that are one identifier, such as /sys/class/dmi/id/product_serial.
bool is_identifier_file(const Query& query) {
    const std::string name = lower(query.argument.substr(query.argument.rfind('/') + 1));
    return query.kind == QueryKind::file && (contains(name, "serial") || contains(name, "asset_tag"));
}

// A few rounds mend all that was ever seen; the bound keeps the time linear.
constexpr int rounds_limit = 6;

std::string redacted_once(std::string text, const OwnNames& names) {
    const Patterns& all = patterns();
    text = without_key_blocks(text);
    apply(all.secrets, text);
    text = replaced(text, *all.uuid, uuid_mark);
    text = replaced(text, *all.mac,
                    [](std::string_view, std::size_t, std::size_t) { return Replaced("<mac>"); });
    text = replaced(text, *all.ipv6, ipv6_mark);
    text = replaced(text, *all.ipv4, ipv4_mark);
    text = replaced(text, *all.email, email_mark);
    text = replaced(text, *all.serial, serial_mark);
    text = without_home(text, names.home);
    apply(all.places, text);
    text = without_name(text, names.host, "<host>");
    text = without_name(text, std::string_view(names.host).substr(0, names.host.find('.')), "<host>");
    return without_name(text, names.user, "<user>");
}

}  // namespace

// A mark parts what stood together, and then more can be seen: "me@example.org0.0.0.1" is an address to
// write to, and what is left behind its mark, "0.0.0.1", one of a machine.
std::string Redactor::redact(std::string text) const {
    for (int round = 0; round < rounds_limit; ++round) {
        std::string next = redacted_once(text, names_);
        if (next == text) {
            break;
        }
        text = std::move(next);
    }
    return text;
}

Query Redactor::redact(Query query) const {
    if (asks_for_path(query.kind)) {
        query.argument = redact(std::move(query.argument));
    }
    return query;
}

Answer Redactor::redact(const Query& query, Answer answer) const {
    if (query.kind == QueryKind::variables) {
        answer.text = kept_variables(answer.text);
    } else if (query.argument == "/etc/group" || query.argument == "/etc/passwd") {
        answer.text = without_accounts(answer.text, names_.user);
    } else if (query.kind == QueryKind::file && is_container_configuration(query.argument)) {
        answer.text = kept_container_settings(query.argument, answer.text);
    } else if (query == Query{QueryKind::directory, "/home"}) {
        answer.text = contains("\n" + answer.text, "\n" + names_.user + "\n") ? "<user>\n" : "";
    } else if (is_identifier_file(query) && !answer.text.empty()) {
        answer.text = "<serial>\n";
    }
    answer.text = redact(std::move(answer.text));
    answer.because = redact(std::move(answer.because));
    return answer;
}

}  // namespace whygpu
