#include "knowledge/python_packages.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace whygpu {

namespace {

std::string normalised(std::string_view name) {
    std::string out;
    for (const char c : lower(name)) {
        const bool separates = c == '-' || c == '_' || c == '.';
        if (!separates || out.empty() || out.back() != '-') {
            out += separates ? '-' : c;
        }
    }
    return out;
}

/// The parts of a version as numbers, one part fewer: what "~=2.4.1" and "==2.4.*" compare.
bool starts_with_parts(const Version& release, const Version& prefix, std::size_t parts) {
    for (std::size_t index = 0; index < parts; ++index) {
        if (release.part(index) != prefix.part(index)) {
            return false;
        }
    }
    return true;
}

std::size_t parts_of_text(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '.')) + 1;
}

std::optional<bool> fits_wildcard(const Version& release, std::string_view operation, std::string_view text) {
    text.remove_suffix(2);
    const std::optional<Version> prefix = Version::parse(text);
    if (!prefix || (operation != "==" && operation != "!=")) {
        return std::nullopt;
    }
    return starts_with_parts(release, *prefix, parts_of_text(text)) == (operation == "==");
}

/// One of "==2.4.1", ">=1.26", "~=2.0", "!=2.1.*".
std::optional<bool> fits_one(const Version& release, std::string_view specifier) {
    constexpr std::array operations = {"==", ">=", "<=", "!=", "~=", "<", ">"};
    for (const std::string_view operation : operations) {
        const std::optional<std::string_view> rest = after_prefix(specifier, operation);
        if (!rest) {
            continue;
        }
        const std::string_view text = trimmed(*rest);
        if (text.ends_with(".*")) {
            return fits_wildcard(release, operation, text);
        }
        const std::optional<PythonVersion> wanted = PythonVersion::parse(text);
        if (!wanted || wanted->pre_release) {
            return std::nullopt;
        }
        const auto order = release <=> wanted->release;
        if (operation == "~=") {
            return order >= 0 && starts_with_parts(release, wanted->release, parts_of_text(text) - 1);
        }
        return operation == "=="   ? order == 0
               : operation == "!=" ? order != 0
               : operation == ">=" ? order >= 0
               : operation == "<=" ? order <= 0
               : operation == "<"  ? order < 0
                                   : order > 0;
    }
    return std::nullopt;
}

/// The value that a marker wants: `platform_machine == "x86_64"` → x86_64; "" when it asks for none.
std::string wanted_by(std::string_view marker, std::string_view variable) {
    const std::size_t at = marker.find(variable);
    const std::size_t open = at == std::string_view::npos ? at : marker.find_first_of("'\"", at);
    const std::size_t close = open == std::string_view::npos ? open : marker.find_first_of("'\"", open + 1);
    const bool equal = close != std::string_view::npos && contains(marker.substr(at, open - at), "==");
    return equal ? std::string(marker.substr(open + 1, close - open - 1)) : "";
}

}  // namespace

const PythonFacts::Package* package_named(const Facts& facts, std::string_view name) {
    if (!facts.python.packages) {
        return nullptr;
    }
    for (const PythonFacts::Package& package : *facts.python.packages) {
        if (package.name && package.version && *package.name == name) {
            return &package;
        }
    }
    return nullptr;
}

std::optional<Version> release_of(const PythonFacts::Package& package) {
    const std::optional<PythonVersion> version = PythonVersion::parse(*package.version);
    return version ? std::optional(version->release) : std::nullopt;
}

std::string local_of(const PythonFacts::Package& package) {
    const std::size_t plus = package.version->find('+');
    return plus == std::string::npos ? "" : package.version->substr(plus + 1);
}

Requirement parse_requirement(std::string_view text) {
    Requirement requirement;
    requirement.text = std::string(text);
    const std::size_t semicolon = text.find(';');
    if (semicolon != std::string_view::npos) {
        requirement.marker = std::string(trimmed(text.substr(semicolon + 1)));
        text = text.substr(0, semicolon);
    }
    const std::size_t end = std::min(text.find_first_of(" <>=!~([@"), text.size());
    requirement.name = normalised(text.substr(0, end));
    std::string_view rest = text.substr(end);
    if (const std::size_t bracket = rest.find(']'); bracket != std::string_view::npos) {
        rest = rest.substr(bracket + 1);
    }
    for (const char c : rest) {
        if (c != ' ' && c != '(' && c != ')') {
            requirement.specifiers += c;
        }
    }
    return requirement;
}

bool counts_here(const Requirement& requirement, const Facts& facts, bool with_extras) {
    const std::string_view marker = requirement.marker;
    if (marker.empty()) {
        return true;
    }
    const std::string machine = wanted_by(marker, "platform_machine");
    const std::string system = wanted_by(marker, "platform_system") + wanted_by(marker, "sys_platform");
    const bool about_extra = contains(marker, "extra");
    const bool other_machine = !machine.empty() && !facts.os.architecture.is(machine);
    const bool other_system = !system.empty() && !lower(system).starts_with("linux");
    const bool understood = about_extra || !machine.empty() || !system.empty();
    const bool strange = contains(marker, "python") || contains(marker, "!=") || contains(marker, " or ") ||
                         contains(marker, "implementation");
    return understood && !strange && !other_machine && !other_system && (!about_extra || with_extras);
}

std::optional<Requirement> requirement_on(const PythonFacts::Package& package, std::string_view name,
                                          const Facts& facts, bool with_extras) {
    if (!package.requirements) {
        return std::nullopt;
    }
    for (const std::string& text : *package.requirements) {
        Requirement requirement = parse_requirement(text);
        if (requirement.name == name && counts_here(requirement, facts, with_extras)) {
            return requirement;
        }
    }
    return std::nullopt;
}

std::optional<Version> exact_pin(const Requirement& requirement) {
    const std::optional<std::string_view> text = after_prefix(requirement.specifiers, "==");
    const std::optional<PythonVersion> version = text ? PythonVersion::parse(*text) : std::nullopt;
    const bool exact = version && !contains(*text, "*") && !contains(*text, ",") && !version->pre_release;
    return exact ? std::optional(version->release) : std::nullopt;
}

std::optional<bool> satisfies(const Version& release, std::string_view specifiers) {
    bool all = true;
    for (const std::string_view specifier : split(specifiers, ',')) {
        if (trimmed(specifier).empty()) {
            continue;
        }
        const std::optional<bool> one = fits_one(release, trimmed(specifier));
        if (!one) {
            return std::nullopt;
        }
        all = all && *one;
    }
    return all;
}

std::string torch_index_option(std::string_view local) {
    const bool has_index = local == "cpu" || local.starts_with("cu") || local.starts_with("rocm");
    return has_index ? " --index-url https://download.pytorch.org/whl/" + std::string(local) : "";
}

}  // namespace whygpu
