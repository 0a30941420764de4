#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "facts/access.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/python_places.h"

// Python is not started (host/python_places.cpp): importing torch would run code of the machine under
// diagnosis. How a framework was built stands in files of its package.

namespace whygpu::probes::python {

namespace {

using Texts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;
using Package = PythonFacts::Package;

constexpr std::size_t packages_limit = 300;

template <class T>
Known<T> absent(std::string because) {
    return Known<T>::missing(Missing::absent, std::move(because));
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

Sites list_sites(Host& host, const PythonInstallation& place, const Variables& variables) {
    Sites sites{{}, all_package_directories_known(place, variables)};
    for (const std::string& directory : python_package_directories(place, variables)) {
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

Known<std::vector<Package>> packages_of(const Sites& sites, const PythonInstallation& place) {
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
Known<bool> externally_managed(Host& host, const PythonInstallation& place) {
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
        environment ? find_python(host, *environment) : Known<std::string>::missing_like(environment);
    if (!python.interpreter) {
        return forget_all_but_interpreter(facts, python.interpreter);
    }
    const Known<PythonInstallation> place = find_python_installation(host, *python.interpreter);
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
