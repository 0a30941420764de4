#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "facts/access.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/paths.h"
#include "host/python_environment.h"

// Python is not started (host/python_places.cpp): importing torch would run code of the machine under
// diagnosis. How a framework was built stands in files of its package.

namespace whygpu::probes::python {

namespace {

using Texts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;
using Package = PythonFacts::Package;
using CondaFact = PythonFacts::CondaPackage;
using OtherPython = PythonFacts::OtherPython;

constexpr std::size_t packages_limit = 300;

template <class T>
Known<T> absent(std::string because) {
    return Known<T>::missing(Missing::absent, std::move(because));
}

// ---- packages ----

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
                                  "causal-conv1d",
                                  "mamba-ssm",
                                  "pyg-lib",
                                  "torch-scatter",
                                  "torch-sparse",
                                  "torch-cluster",
                                  "torch-spline-conv",
                                  "numpy"};
    constexpr std::array prefixes = {"nvidia-", "cupy-", "rocm-", "jax-cuda", "jax-rocm"};
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Whose requirements tell what fits to it. Reading those of all would be slow and say no more.
bool has_pins(std::string_view name) {
    constexpr std::array names = {"torch",      "torchvision",    "torchaudio", "xformers",      "vllm",
                                  "tensorflow", "tensorflow-cpu", "jax",        "tensorflow-gpu"};
    return std::ranges::find(names, name) != names.end() || name.starts_with("jax-cuda");
}

/// Those of its requirements that are about packages which are listed here.
Known<Texts> wanted_requirements(Host& host, const PythonDistribution& distribution) {
    if (!has_pins(distribution.name)) {
        return Known<Texts>::missing(Missing::not_asked, "of no interest");
    }
    const Known<Texts> all = requirements_of(host, distribution);
    if (!all) {
        return all;
    }
    Texts wanted;
    for (const std::string& requirement : *all) {
        const std::size_t end = requirement.find_first_of(" <>=!~;([@");
        if (is_wanted(normalised_distribution(std::string_view(requirement).substr(0, end)))) {
            wanted.push_back(requirement);
        }
    }
    return {std::move(wanted), all.source()};
}

Package package_from(Host& host, const PythonDistribution& distribution) {
    const Source source{distribution.directory + "/" + distribution.entry, 0, distribution.entry};
    return Package{
        Known<std::string>(distribution.name, source), Known<std::string>(distribution.version, source),
        Known<std::string>(distribution.directory, source), wanted_requirements(host, distribution)};
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
std::vector<Package> packages_in(Host& host, const PythonSites& sites) {
    std::vector<Package> packages;
    for (const PythonSite& site : sites.listed) {
        for (const std::string& entry : site.names) {
            const std::optional<PythonDistribution> found = distribution_of(entry, site.directory);
            if (found && is_wanted(found->name) && packages.size() < packages_limit &&
                find(packages, found->name) == nullptr) {
                packages.push_back(package_from(host, *found));
            }
        }
    }
    return packages;
}

/// Absent, or the reason why a directory that may hold it was not seen.
template <class T>
Known<T> not_installed(std::string_view name, const PythonSites& sites) {
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

void read_torch(Host& host, const PythonSites& sites, PythonFacts& python) {
    const auto holds_torch = [](const PythonSite& site) {
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

void read_tensorflow(Host& host, const PythonSites& sites, PythonFacts& python) {
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
void read_jax(const PythonSites& sites, PythonFacts& python) {
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

Known<std::vector<Package>> packages_of(Host& host, const PythonSites& sites,
                                        const PythonInstallation& place) {
    using Packages = std::vector<Package>;
    if (!sites.listed.empty()) {
        return {packages_in(host, sites), Source{sites.listed.front().directory, 0, ""}};
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

// ---- other installations ----

/// The packages that conda brought and that decide about GPUs: frameworks and CUDA.
Known<std::vector<CondaFact>> conda_facts(Host& host, const PythonInstallation& place) {
    using CondaFacts = std::vector<CondaFact>;
    const Known<std::vector<CondaPackage>> all = conda_packages_in(host, place.prefix);
    if (!all) {
        return Known<CondaFacts>::missing_like(all);
    }
    CondaFacts found;
    for (const CondaPackage& package : *all) {
        constexpr std::array names = {"pytorch",      "pytorch-gpu",   "libtorch",   "cpuonly",
                                      "pytorch-cuda", "pytorch-mutex", "tensorflow", "tensorflow-base",
                                      "jaxlib",       "cudatoolkit",   "cudnn",      "nccl"};
        const bool wanted = std::ranges::find(names, package.name) != names.end() ||
                            package.name.starts_with("cuda-") || package.name.starts_with("libcu");
        if (wanted && found.size() < packages_limit) {
            const Source source{place.prefix + "/conda-meta/" + package.file, 0, package.file};
            found.push_back({Known<std::string>(package.name, source),
                             Known<std::string>(package.version, source),
                             Known<std::string>(package.build, source)});
        }
    }
    return {std::move(found), all.source()};
}

std::string resolved_or_same(Host& host, const std::string& path) {
    const Known<std::string> real = resolved_path(host, path);
    return real ? *real : path;
}

/// "torch 2.4.1" for each framework in a Python.
Texts frameworks_in(Host& host, const std::string& interpreter, const Variables& variables) {
    Texts found;
    const Known<PythonInstallation> place = find_python_installation(host, interpreter);
    if (!place || !place->version) {
        return found;
    }
    const PythonSites sites = list_python_sites(host, *place, variables);
    for (const PythonSite& site : sites.listed) {
        for (const std::string& entry : site.names) {
            constexpr std::array names = {"torch", "tensorflow", "jax"};
            const std::optional<PythonDistribution> one = distribution_of(entry, site.directory);
            if (one && std::ranges::find(names, one->name) != names.end() && found.size() < names.size()) {
                found.push_back(one->name + " " + one->version);
            }
        }
    }
    return found;
}

/// Only asked where the default Python has no framework: then one may lie in another Python.
Known<std::vector<OtherPython>> other_pythons(Host& host, const PythonFacts& python,
                                              const Variables& variables) {
    using Others = std::vector<OtherPython>;
    if (python.torch_version || python.tensorflow_version || python.jax_version) {
        return Known<Others>::missing(Missing::not_asked, "the default Python has a framework");
    }
    Others others;
    Texts seen = {resolved_or_same(host, *python.interpreter)};
    for (const std::string& interpreter : usual_pythons(host, variables)) {
        const bool is_virtual = exists(host, parent_of(parent_of(interpreter)) + "/pyvenv.cfg").is(true);
        const std::string real = is_virtual ? interpreter : resolved_or_same(host, interpreter);
        if (std::ranges::find(seen, real) != seen.end() || interpreter == *python.interpreter) {
            continue;
        }
        seen.push_back(real);
        const Texts frameworks = frameworks_in(host, interpreter, variables);
        if (!frameworks.empty()) {
            const Source source{interpreter, 0, join(frameworks, ", ")};
            others.push_back({Known<std::string>(interpreter, source), Known<Texts>(frameworks, source)});
        }
    }
    return {std::move(others), Source{"the usual places of Pythons", 0, ""}};
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
    const PythonSites sites = list_python_sites(host, *place, *environment);
    const Known<std::vector<Package>> packages = packages_of(host, sites, *place);
    if (!packages) {
        forget_all_but_interpreter(facts, packages);
        python.version = place->version;
        return;
    }
    python.version = place->version;
    python.externally_managed = externally_managed(host, *place);
    python.packages = packages;
    python.packages_complete = sites.all_seen;
    python.conda_packages = conda_facts(host, *place);
    read_torch(host, sites, python);
    read_tensorflow(host, sites, python);
    read_jax(sites, python);
    python.other_pythons = other_pythons(host, python, *environment);
}

}  // namespace whygpu::probes::python
