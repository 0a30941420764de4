#include "host/python_environment.h"

#include "base/text.h"
#include "host/ask.h"
#include "host/paths.h"

namespace whygpu {

namespace {

using Texts = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

constexpr std::size_t requirements_limit = 200;
constexpr std::size_t conda_packages_limit = 2000;
constexpr std::size_t environments_limit = 12;
constexpr std::size_t pythons_limit = 40;

std::string value_of(const Variables& variables, const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
}

/// "numpy-1.26.4-py311h64a7726_0.json": the last two dashes part name, version and build.
std::optional<CondaPackage> conda_package_of(const std::string& file) {
    constexpr std::string_view ending = ".json";
    if (!file.ends_with(ending)) {
        return std::nullopt;
    }
    const std::string stem = file.substr(0, file.size() - ending.size());
    const std::size_t build = stem.rfind('-');
    const std::size_t version =
        build == std::string::npos || build == 0 ? std::string::npos : stem.rfind('-', build - 1);
    if (version == std::string::npos || version == 0) {
        return std::nullopt;
    }
    return CondaPackage{stem.substr(0, version), stem.substr(version + 1, build - version - 1),
                        stem.substr(build + 1), file};
}

/// FOLDER/*/bin/python, of the first environments by name.
Texts pythons_below(Host& host, const std::string& folder) {
    const Known<Texts> names = list_directory(host, folder);
    Texts found;
    for (const std::string& name : names ? *names : Texts{}) {
        if (found.size() < environments_limit && !name.starts_with(".")) {
            found.push_back(folder + "/" + name + "/bin/python");
        }
    }
    return found;
}

/// Places worth a look, whether or not there is something.
Texts candidates(Host& host, const Variables& variables) {
    Texts paths = {"/usr/bin/python3", "/usr/local/bin/python3"};
    const auto append = [&](const Texts& more) { paths.insert(paths.end(), more.begin(), more.end()); };
    Texts condas = {"/opt/conda", "/opt/miniconda3"};
    Texts pyenvs;
    const std::string home = value_of(variables, "HOME");
    if (is_absolute_path(home)) {
        for (const char* name : {"miniconda3", "anaconda3", "miniforge3", "mambaforge"}) {
            condas.push_back(home + "/" + name);
        }
        for (const char* name : {"venv", ".venv", "env"}) {
            paths.push_back(home + "/" + name + "/bin/python");
        }
        pyenvs.push_back(home + "/.pyenv");
    }
    if (const std::string root = value_of(variables, "PYENV_ROOT"); is_absolute_path(root)) {
        pyenvs.push_back(root);
    }
    for (const std::string& conda : condas) {
        if (exists(host, conda + "/bin/python").is(true)) {
            paths.push_back(conda + "/bin/python");
            append(pythons_below(host, conda + "/envs"));
        }
    }
    for (const std::string& root : pyenvs) {
        append(pythons_below(host, root + "/versions"));
    }
    return paths;
}

}  // namespace

PythonSites list_python_sites(Host& host, const PythonInstallation& place, const Variables& variables) {
    PythonSites sites{{}, all_package_directories_known(place, variables)};
    for (const std::string& directory : python_package_directories(place, variables)) {
        Known<Texts> names = list_directory(host, directory);
        if (names) {
            sites.listed.push_back(PythonSite{directory, *names});
        } else if (names.why() != Missing::absent) {
            sites.all_seen = Known<bool>::missing_like(names);
        }
    }
    return sites;
}

std::string normalised_distribution(std::string_view name) {
    std::string out;
    for (const char c : lower(name)) {
        const bool separates = c == '-' || c == '_' || c == '.';
        if (!separates || out.empty() || out.back() != '-') {
            out += separates ? '-' : c;
        }
    }
    return out;
}

// "torch-2.4.1+cpu.dist-info", "numpy-1.24.2.egg-info", "foo-1.0-py3.11.egg-info".
std::optional<PythonDistribution> distribution_of(std::string_view entry, const std::string& directory) {
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
    const std::string_view rest = stem.substr(dash + 1);
    return PythonDistribution{normalised_distribution(stem.substr(0, dash)),
                              std::string(rest.substr(0, rest.find('-'))), directory, std::string(entry)};
}

// The headers end at the first empty line; the description after it may hold anything.
Known<Texts> requirements_of(Host& host, const PythonDistribution& distribution) {
    const Known<std::string> content =
        read_file(host, distribution.directory + "/" + distribution.entry + "/METADATA");
    if (!content) {
        return Known<Texts>::missing_like(content);
    }
    Texts requirements;
    for (const std::string_view line : lines_of(*content)) {
        if (line.empty() || requirements.size() >= requirements_limit) {
            break;
        }
        if (const std::optional<std::string_view> value = after_prefix(line, "Requires-Dist:")) {
            requirements.emplace_back(trimmed(*value));
        }
    }
    return {std::move(requirements), content.source()};
}

Known<std::vector<CondaPackage>> conda_packages_in(Host& host, const std::string& prefix) {
    using Packages = std::vector<CondaPackage>;
    const Known<Texts> files = list_directory(host, prefix + "/conda-meta");
    if (!files) {
        return Known<Packages>::missing_like(files);
    }
    Packages packages;
    for (const std::string& file : *files) {
        std::optional<CondaPackage> package = conda_package_of(file);
        if (package && packages.size() < conda_packages_limit) {
            packages.push_back(std::move(*package));
        }
    }
    return {std::move(packages), files.source()};
}

Texts usual_pythons(Host& host, const Variables& variables) {
    Texts found;
    for (const std::string& path : candidates(host, variables)) {
        if (found.size() < pythons_limit && exists(host, path).is(true)) {
            found.push_back(path);
        }
    }
    return found;
}

}  // namespace whygpu
