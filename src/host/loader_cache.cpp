#include "host/loader_cache.h"

#include <optional>

#include "base/text.h"
#include "host/ask.h"
#include "host/commands.h"

namespace whygpu {

namespace {

/// "(libc6,x86-64)", "(libc6,AArch64, hwcap: …)", "(libc6,64bit)" name a 64-bit architecture right
/// behind the first comma; 32-bit x86 is a bare "(libc6)" or "(libc6, OS ABI: …)".
bool is_64_bit(std::string_view kind) {
    const std::size_t comma = kind.find(',');
    if (comma == std::string_view::npos) {
        return false;
    }
    std::string_view architecture = kind.substr(comma + 1);
    architecture = architecture.substr(0, architecture.find_first_of(",)"));
    return !architecture.starts_with(' ') && contains(architecture, "64");
}

/// Headings of the listing are translated, entries are not: "NAME (KIND) => PATH".
std::optional<CachedLibrary> entry_of(std::string_view line) {
    const std::size_t arrow = line.find(" => ");
    const std::size_t open = line.find(" (");
    if (arrow == std::string_view::npos || open >= arrow || !is_64_bit(line.substr(open, arrow - open))) {
        return std::nullopt;
    }
    return CachedLibrary{std::string(line.substr(0, open)), std::string(trimmed(line.substr(arrow + 4))), {}};
}

}  // namespace

Known<std::vector<CachedLibrary>> loader_cache(Host& host) {
    using Libraries = std::vector<CachedLibrary>;
    const std::string command(command::loader_cache);
    const Known<CommandOutput> output = run_command(host, command);
    if (!output) {
        return Known<Libraries>::missing_like(output);
    }
    if (output->exit_code != 0) {
        return Known<Libraries>::missing(Missing::malformed,
                                         command + " ended with " + std::to_string(output->exit_code),
                                         {command, 0, std::string(trimmed(output->text.substr(0, 200)))});
    }
    Libraries libraries;
    int number = 0;
    for (std::string_view raw : lines_of(output->text)) {
        ++number;
        const std::string_view line = trimmed(raw);
        if (std::optional<CachedLibrary> entry = entry_of(line)) {
            entry->source = Source{command, number, std::string(line)};
            libraries.push_back(std::move(*entry));
        }
    }
    return {std::move(libraries), Source{command, 0, ""}};
}

}  // namespace whygpu
