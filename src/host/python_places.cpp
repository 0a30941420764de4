#include "host/python_places.h"

#include <optional>

#include "base/text.h"
#include "base/version.h"
#include "host/ask.h"
#include "host/paths.h"

// Python is not started: that takes a second where a network file system serves it. All that is needed
// stands in files, in the places where CPython's getpath and site modules look.

namespace whygpu {

namespace {

using Texts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

std::string value_at(const Variables& variables, const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
}

// ---- the interpreter ----

/// "/root" of a path /root/shims/python3 that is a pyenv shim, a script that starts the chosen Python.
std::string pyenv_root(const std::string& program, const Variables& variables) {
    const std::string shims = parent_of(program);
    const std::string root = parent_of(shims);
    const bool is_shim = last_part_of(shims) == "shims" &&
                         (last_part_of(root) == ".pyenv" || root == value_at(variables, "PYENV_ROOT"));
    return is_shim ? root : "";
}

/// What the shim would start: the version of PYENV_VERSION or of the file `version`; the first of
/// several. Empty when that is the system's Python.
Known<std::string> pyenv_version(Host& host, const std::string& root, const Variables& variables) {
    Known<std::string> chosen(value_at(variables, "PYENV_VERSION"), Source{"PYENV_VERSION", 0, ""});
    if (chosen->empty()) {
        chosen = read_value(host, root + "/version");
    }
    if (!chosen && chosen.why() == Missing::absent) {
        return {std::string()};
    }
    if (!chosen) {
        return chosen;
    }
    const std::string first(chosen->substr(0, chosen->find_first_of(": ")));
    if (contains(first, "/") || first == "..") {
        return Known<std::string>::missing(Missing::malformed, "no name of a pyenv version", chosen.source());
    }
    return {first == "system" ? std::string() : first, chosen.source()};
}

Known<std::string> behind_shim(Host& host, const std::string& root, const Known<std::string>& version) {
    if (!version) {
        return version;
    }
    const std::string bin = root + "/versions/" + *version + "/bin";
    const Known<std::string> program = first_existing(host, {bin + "/python3", bin + "/python"});
    if (!program && program.why() == Missing::absent) {
        return Known<std::string>::missing(Missing::absent,
                                           "pyenv has no version " + *version + " installed");
    }
    return program;
}

Known<std::string> python_on_path(Host& host, const Variables& variables) {
    Texts directories = directories_in(value_at(variables, "PATH"), ":");
    for (const std::string name : {"python3", "python"}) {
        const Known<std::string> program = first_existing(host, inside_each(directories, name));
        const std::string root = program ? pyenv_root(*program, variables) : "";
        if (root.empty() && (program || program.why() != Missing::absent)) {
            return program;
        }
        if (root.empty()) {
            continue;
        }
        const Known<std::string> version = pyenv_version(host, root, variables);
        if (!version || !version->empty()) {
            return behind_shim(host, root, version);
        }
        // "system": as if the shims were not on PATH.
        std::erase(directories, root + "/shims");
        const Known<std::string> system = first_existing(host, inside_each(directories, name));
        if (system || system.why() != Missing::absent) {
            return system;
        }
    }
    return Known<std::string>::missing(Missing::absent, "no Python found");
}

// ---- its installation ----

/// The keys of pyvenv.cfg in lower case; absent when the interpreter belongs to no virtual environment.
Known<Variables> read_pyvenv(Host& host, const std::string& prefix) {
    const Known<std::string> content = read_file(host, prefix + "/pyvenv.cfg");
    if (!content) {
        return Known<Variables>::missing_like(content);
    }
    Variables keys;
    for (std::string_view line : lines_of(*content)) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) {
            keys.emplace(lower(trimmed(line.substr(0, equals))), trimmed(line.substr(equals + 1)));
        }
    }
    return {std::move(keys), content.source()};
}

/// "3.11" of "python3.11", "python3.13t" or "3.11.2"; empty when there is none.
std::string two_parts(std::string_view text) {
    const std::optional<Version> version = Version::parse_prefix(after_prefix(text, "python").value_or(text));
    return version && version->major() > 0 && contains(text, ".")
               ? std::to_string(version->major()) + "." + std::to_string(version->minor())
               : "";
}

/// The one folder python3.* of PREFIX/lib; among several only the interpreter's name decides.
std::string only_folder(Host& host, const std::string& prefix) {
    const Known<Texts> names = list_directory(host, prefix + "/lib");
    std::string found;
    for (const std::string& name : names ? *names : Texts{}) {
        if (!name.starts_with("python") || two_parts(name).empty()) {
            continue;
        }
        if (!found.empty()) {
            return "";
        }
        found = name;
    }
    return found;
}

void find_version(Host& host, const Known<Variables>& pyvenv, const std::string& real,
                  PythonInstallation& place) {
    std::string stated;
    if (pyvenv) {
        // virtualenv and uv write version_info = 3.11.4.final.0, the standard library's venv version.
        stated = pyvenv->contains("version") ? pyvenv->at("version") : value_at(*pyvenv, "version_info");
    }
    const std::string name = last_part_of(real);
    if (!two_parts(stated).empty()) {
        // The folder of a free-threaded Python is python3.13t, its version 3.13.
        const std::string folder = only_folder(host, place.prefix);
        place.folder = folder.empty() ? "python" + two_parts(stated) : folder;
        place.version = Known<std::string>(two_parts(stated), Source{pyvenv.source().origin, 0, stated});
    } else if (!two_parts(name).empty()) {
        place.folder = name;
        place.version = Known<std::string>(two_parts(name), Source{real, 0, real});
    } else if (const std::string folder = only_folder(host, place.prefix); !folder.empty()) {
        place.folder = folder;
        place.version =
            Known<std::string>(two_parts(folder), Source{place.prefix + "/lib/" + folder, 0, folder});
    } else {
        place.version = Known<std::string>::missing(
            Missing::absent, "neither the interpreter's name nor lib/python3.* tells it", {real, 0, real});
    }
}

/// Where `pip install --user` puts packages; empty when it cannot be told (a redacted snapshot has no
/// HOME) or does not count.
std::string user_base(const Variables& variables) {
    const std::string base = value_at(variables, "PYTHONUSERBASE");
    const std::string home = value_at(variables, "HOME");
    const bool counts = value_at(variables, "PYTHONNOUSERSITE").empty();
    return !counts || (base.empty() && home.empty()) ? "" : base.empty() ? home + "/.local" : base;
}

}  // namespace

// An activated environment is meant even when something else stands before it on PATH.
Known<std::string> find_python(Host& host, const Variables& variables) {
    for (const std::string name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const std::string prefix = value_at(variables, name);
        if (!is_absolute_path(prefix)) {
            continue;
        }
        const Known<std::string> program = first_existing(host, {prefix + "/bin/python"});
        if (program) {
            return {*program, Source{name, 0, name + "=" + prefix}};
        }
        if (program.why() != Missing::absent) {
            return program;
        }
    }
    return python_on_path(host, variables);
}

// pyvenv.cfg is looked for where the interpreter was called, the rest where its links lead: that is
// how a virtual environment of links works.
Known<PythonInstallation> find_python_installation(Host& host, const std::string& interpreter) {
    PythonInstallation place;
    place.prefix = parent_of(parent_of(interpreter));
    const Known<Variables> pyvenv = read_pyvenv(host, place.prefix);
    const Known<std::string> real = resolved_path(host, interpreter);
    if (!pyvenv && pyvenv.why() != Missing::absent) {
        return Known<PythonInstallation>::missing_like(pyvenv);
    }
    if (!real) {
        return Known<PythonInstallation>::missing_like(real);
    }
    place.is_virtual = pyvenv.known();
    place.base = parent_of(parent_of(*real));
    if (!pyvenv) {
        place.prefix = place.base;
    } else {
        const std::string home = value_at(*pyvenv, "home");
        place.base = is_absolute_path(home) ? parent_of(home) : place.base;
        place.sees_base = lower(value_at(*pyvenv, "include-system-site-packages")) == "true";
    }
    find_version(host, pyvenv, *real, place);
    return {std::move(place), real.source()};
}

Known<bool> all_package_directories_known(const PythonInstallation& place, const Variables& variables) {
    if (!value_at(variables, "PYTHONPATH").empty()) {
        return Known<bool>::missing(Missing::not_asked, "the directories of PYTHONPATH were not searched");
    }
    const bool user_counts = place.sees_base && value_at(variables, "PYTHONNOUSERSITE").empty();
    if (user_counts && user_base(variables).empty()) {
        return Known<bool>::missing(Missing::not_asked,
                                    "HOME is not known, so the user's packages were not searched");
    }
    return {true};
}

// Debian's and Fedora's Pythons in /usr have places that others have not.
Texts python_package_directories(const PythonInstallation& place, const Variables& variables) {
    const std::string inside = "/" + place.folder + "/site-packages";
    Texts directories;
    if (place.is_virtual) {
        directories.push_back(place.prefix + "/lib" + inside);
    }
    if (!place.sees_base) {
        return directories;
    }
    const std::string user = user_base(variables);
    if (is_absolute_path(user)) {
        directories.push_back(user + "/lib" + inside);
    }
    if (place.base == "/usr") {
        directories.push_back("/usr/local/lib/" + place.folder + "/dist-packages");
        directories.push_back("/usr/lib/python3/dist-packages");
        directories.push_back("/usr/local/lib64" + inside);
        directories.push_back("/usr/local/lib" + inside);
        directories.push_back("/usr/lib64" + inside);
    }
    directories.push_back(place.base + "/lib" + inside);
    return directories;
}

}  // namespace whygpu
