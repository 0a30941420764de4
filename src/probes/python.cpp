#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "base/version.h"
#include "facts/access.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/paths.h"

// Python is not started: that takes a second where a network file system serves it, and importing
// torch runs code of the machine under diagnosis. All that is needed stands in files, in the places
// where CPython's getpath and site modules look.

namespace whygpu::probes::python {

namespace {

using Texts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;
using Package = PythonFacts::Package;

constexpr std::size_t packages_limit = 300;

std::string value_at(const Variables& variables, const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
}

template <class T>
Known<T> absent(std::string because) {
    return Known<T>::missing(Missing::absent, std::move(because));
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
        return absent<std::string>("pyenv has no version " + *version + " installed");
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
    return absent<std::string>("no Python found");
}

/// An activated environment is meant even when something else stands before it on PATH.
Known<std::string> find_interpreter(Host& host, const Variables& variables) {
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

struct Installation {
    std::string prefix;          ///< sys.prefix
    std::string base;            ///< sys.base_prefix, the same outside of a virtual environment
    bool is_virtual = false;     ///< a virtual environment
    bool sees_base = true;       ///< packages of the base and of the user count
    std::string folder;          ///< "python3.11", the name below lib/
    Known<std::string> version;  ///< "3.11"
};

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

void find_version(Host& host, const Known<Variables>& pyvenv, const std::string& real, Installation& place) {
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

/// pyvenv.cfg is looked for where the interpreter was called, the rest where its links lead: that is
/// how a virtual environment of links works.
Known<Installation> find_installation(Host& host, const std::string& interpreter) {
    Installation place;
    place.prefix = parent_of(parent_of(interpreter));
    const Known<Variables> pyvenv = read_pyvenv(host, place.prefix);
    const Known<std::string> real = resolved_path(host, interpreter);
    if (!pyvenv && pyvenv.why() != Missing::absent) {
        return Known<Installation>::missing_like(pyvenv);
    }
    if (!real) {
        return Known<Installation>::missing_like(real);
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

/// Where `pip install --user` puts packages; empty when it cannot be told (a redacted snapshot has no
/// HOME) or does not count.
std::string user_base(const Variables& variables) {
    const std::string base = value_at(variables, "PYTHONUSERBASE");
    const std::string home = value_at(variables, "HOME");
    const bool counts = value_at(variables, "PYTHONNOUSERSITE").empty();
    return !counts || (base.empty() && home.empty()) ? "" : base.empty() ? home + "/.local" : base;
}

/// Why a package that is in none of the directories may be installed all the same.
Known<bool> all_directories_known(const Installation& place, const Variables& variables) {
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

/// sys.path, as far as packages lie there: environment, user, system. Debian's and Fedora's Pythons in
/// /usr have further places.
Texts package_directories(const Installation& place, const Variables& variables) {
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

// ---- packages ----

struct Site {
    std::string directory;
    Texts names;
};

/// The package directories that exist, and why one of them could not be listed.
struct Sites {
    std::vector<Site> listed;
    Known<bool> all_seen{true};
};

Sites list_sites(Host& host, const Installation& place, const Variables& variables) {
    Sites sites{{}, all_directories_known(place, variables)};
    for (const std::string& directory : package_directories(place, variables)) {
        Known<Texts> names = list_directory(host, directory);
        if (names) {
            sites.listed.push_back(Site{directory, *names});
        } else if (names.why() != Missing::absent) {
            sites.all_seen = Known<bool>::missing_like(names);
        }
    }
    return sites;
}

/// PEP 503: lower case, runs of "-", "_" and "." as one "-".
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

bool is_wanted(std::string_view name) {
    constexpr std::array names = {"torch",
                                  "torchvision",
                                  "torchaudio",
                                  "pytorch-triton",
                                  "pytorch-triton-rocm",
                                  "triton",
                                  "tensorflow",
                                  "tensorflow-cpu",
                                  "tensorflow-gpu",
                                  "tensorflow-rocm",
                                  "tf-nightly",
                                  "tensorflow-intel",
                                  "jax",
                                  "jaxlib",
                                  "onnxruntime",
                                  "cupy",
                                  "onnxruntime-gpu",
                                  "onnxruntime-rocm",
                                  "xformers",
                                  "flash-attn",
                                  "bitsandbytes",
                                  "deepspeed",
                                  "vllm",
                                  "transformers",
                                  "numpy"};
    constexpr std::array prefixes = {"nvidia-", "cupy-", "rocm-", "jax-cuda", "jax-rocm"};
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// "torch-2.4.1+cpu.dist-info", "numpy-1.24.2.egg-info", "foo-1.0-py3.11.egg-info".
std::optional<Package> package_of(const std::string& entry, const std::string& directory) {
    std::string_view stem = entry;
    for (std::string_view ending : {".dist-info", ".egg-info"}) {
        if (stem.ends_with(ending)) {
            stem.remove_suffix(ending.size());
        }
    }
    const std::size_t dash = stem.find('-');
    if (stem.size() == entry.size() || dash == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string name = normalised(stem.substr(0, dash));
    const std::string_view rest = stem.substr(dash + 1);
    if (!is_wanted(name)) {
        return std::nullopt;
    }
    const Source source{directory + "/" + entry, 0, entry};
    return Package{Known<std::string>(name, source),
                   Known<std::string>(std::string(rest.substr(0, rest.find('-'))), source),
                   Known<std::string>(directory, source)};
}

const Package* find(const std::vector<Package>& packages, std::string_view name) {
    for (const Package& package : packages) {
        if (*package.name == name) {
            return &package;
        }
    }
    return nullptr;
}

/// The first of several directories that holds a package is the one that is imported.
std::vector<Package> packages_in(const Sites& sites) {
    std::vector<Package> packages;
    for (const Site& site : sites.listed) {
        for (const std::string& entry : site.names) {
            std::optional<Package> package = package_of(entry, site.directory);
            if (package && packages.size() < packages_limit && find(packages, *package->name) == nullptr) {
                packages.push_back(std::move(*package));
            }
        }
    }
    return packages;
}

/// Absent, or the reason why a directory that may hold it was not seen.
template <class T>
Known<T> not_installed(std::string_view name, const Sites& sites) {
    if (!sites.all_seen) {
        return Known<T>::missing_like(sites.all_seen);
    }
    const std::string where = sites.listed.empty() ? "any package directory" : sites.listed.front().directory;
    return absent<T>(std::string(name) + " is not in " + where +
                     (sites.listed.size() > 1 ? " or the directories after it" : ""));
}

// ---- frameworks ----

/// The value of "name = 'value'" or "name: Optional[str] = None" in torch/version.py; 'none' for None.
Known<std::string> assigned(const Known<std::string>& content, std::string_view name) {
    int number = 0;
    for (std::string_view line : lines_of(*content)) {
        ++number;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos || trimmed(line.substr(0, line.find_first_of(":="))) != name) {
            continue;
        }
        const Source source{content.source().origin, number, std::string(line)};
        const std::string_view value = trimmed(line.substr(equals + 1));
        const bool quoted = value.size() > 2 && (value.front() == '\'' || value.front() == '"') &&
                            value.back() == value.front();
        if (quoted) {
            return {std::string(value.substr(1, value.size() - 2)), source};
        }
        return value == "None"
                   ? Known<std::string>("none", source)
                   : Known<std::string>::missing(Missing::malformed, "neither a string nor None", source);
    }
    return Known<std::string>::missing(
        Missing::absent, "torch/version.py does not assign " + std::string(name), content.source());
}

void read_torch(Host& host, const Sites& sites, PythonFacts& python) {
    const auto holds_torch = [](const Site& site) {
        return std::ranges::find(site.names, "torch") != site.names.end();
    };
    const auto site = std::ranges::find_if(sites.listed, holds_torch);
    const Package* package = find(*python.packages, "torch");
    if (site == sites.listed.end() && package != nullptr) {
        // An editable installation lies elsewhere: its version is known, how it was built is not.
        python.torch_version = package->version;
        python.torch_cuda =
            Known<std::string>::missing(Missing::not_asked, "torch lies outside of site-packages");
        python.torch_hip = python.torch_cuda;
        return;
    }
    const Known<std::string> content = site == sites.listed.end()
                                           ? not_installed<std::string>("torch", sites)
                                           : read_file(host, site->directory + "/torch/version.py");
    python.torch_version = content ? assigned(content, "__version__") : content;
    python.torch_cuda = content ? assigned(content, "cuda") : content;
    python.torch_hip = content ? assigned(content, "hip") : content;
}

/// "('is_cuda_build', True)" in the ordered dictionary of build_info.py, "is_cuda_build = True" before
/// TensorFlow 2.3.
Known<bool> is_cuda_build(const Known<std::string>& content) {
    constexpr std::string_view key = "is_cuda_build";
    int number = 0;
    for (std::string_view line : lines_of(*content)) {
        ++number;
        const std::size_t at = line.find(key);
        if (at == std::string_view::npos) {
            continue;
        }
        constexpr std::size_t longest = 32;
        const std::string_view excerpt = line.substr(at, longest);
        const std::string_view value = excerpt.substr(key.size()).substr(0, 10);
        const Source source{content.source().origin, number,
                            std::string(excerpt.substr(0, excerpt.find(')')))};
        if (contains(value, "True") || contains(value, "False")) {
            return {contains(value, "True"), source};
        }
    }
    return Known<bool>::missing(Missing::malformed, "it does not say is_cuda_build", content.source());
}

void read_tensorflow(Host& host, const Sites& sites, PythonFacts& python) {
    python.tensorflow_version = not_installed<std::string>("tensorflow", sites);
    python.tensorflow_cuda = not_installed<bool>("tensorflow", sites);
    for (const std::string_view name : {"tensorflow", "tensorflow-gpu", "tensorflow-rocm", "tf-nightly",
                                        "tensorflow-cpu", "tensorflow-intel"}) {
        const Package* package = find(*python.packages, name);
        if (package == nullptr) {
            continue;
        }
        python.tensorflow_version = package->version;
        if (name == "tensorflow-cpu") {
            python.tensorflow_cuda = Known<bool>(false, package->version.source());
            return;
        }
        const Known<std::string> content =
            read_file(host, *package->location + "/tensorflow/python/platform/build_info.py");
        python.tensorflow_cuda = content ? is_cuda_build(content) : Known<bool>::missing_like(content);
        return;
    }
}

/// CUDA comes to JAX as a plug-in package, in wheels before 0.4.26 inside jaxlib 0.4.7+cuda12.cudnn88.
void read_jax(const Sites& sites, PythonFacts& python) {
    const Package* jax = find(*python.packages, "jax");
    const Package* jaxlib = find(*python.packages, "jaxlib");
    python.jax_version = jax != nullptr ? jax->version : not_installed<std::string>("jax", sites);
    python.jax_cuda = not_installed<bool>("jaxlib", sites);
    if (jaxlib != nullptr) {
        const bool inside = contains(*jaxlib->version, "+cuda");
        // A plug-in may lie in a directory that could not be listed.
        python.jax_cuda = inside || sites.all_seen ? Known<bool>(inside, jaxlib->version.source())
                                                   : Known<bool>::missing_like(sites.all_seen);
    }
    for (const Package& package : *python.packages) {
        if (package.name->starts_with("jax-cuda") && package.name->ends_with("-plugin")) {
            python.jax_cuda = Known<bool>(true, package.version.source());
        }
    }
}

Known<std::vector<Package>> packages_of(const Sites& sites, const Installation& place) {
    using Packages = std::vector<Package>;
    if (!sites.listed.empty()) {
        return {packages_in(sites), Source{sites.listed.front().directory, 0, ""}};
    }
    // No directory at all is a layout that is not known here, not a Python without packages.
    return sites.all_seen ? Known<Packages>::missing(Missing::unsupported,
                                                     "no package directory was found for " + place.prefix)
                          : Known<Packages>::missing_like(sites.all_seen);
}

/// PEP 668: the distribution keeps its own Python for itself, and pip refuses to touch it. A virtual
/// environment is never so.
Known<bool> externally_managed(Host& host, const Installation& place) {
    const std::string marker = place.prefix + "/lib/" + place.folder + "/EXTERNALLY-MANAGED";
    return place.is_virtual ? Known<bool>(false, Source{place.prefix, 0, "a virtual environment"})
                            : exists(host, marker);
}

/// Makes everything but the interpreter itself missing for one reason.
template <class T>
void forget_all_but_interpreter(Facts& facts, const Known<T>& reason) {
    const Known<std::string> interpreter = facts.python.interpreter;
    forget_section(facts, "python", reason.why(), reason.because());
    facts.python.interpreter = interpreter;
}

}  // namespace

void probe(Host& host, Facts& facts) {
    PythonFacts& python = facts.python;
    const Known<Variables> environment = variables(host);
    python.interpreter =
        environment ? find_interpreter(host, *environment) : Known<std::string>::missing_like(environment);
    if (!python.interpreter) {
        return forget_all_but_interpreter(facts, python.interpreter);
    }
    const Known<Installation> place = find_installation(host, *python.interpreter);
    if (!place || !place->version) {
        return place ? forget_all_but_interpreter(facts, place->version)
                     : forget_all_but_interpreter(facts, place);
    }
    const Sites sites = list_sites(host, *place, *environment);
    const Known<std::vector<Package>> packages = packages_of(sites, *place);
    if (!packages) {
        forget_all_but_interpreter(facts, packages);
        python.version = place->version;
        return;
    }
    python.version = place->version;
    python.externally_managed = externally_managed(host, *place);
    python.packages = packages;
    read_torch(host, sites, python);
    read_tensorflow(host, sites, python);
    read_jax(sites, python);
}

}  // namespace whygpu::probes::python
