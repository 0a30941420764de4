#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/text.h"
#include "base/version.h"
#include "facts/facts.h"
#include "host/ask.h"
#include "host/loader_cache.h"
#include "host/paths.h"

namespace whygpu::probes::toolkit {

namespace {

using Install = ToolkitFacts::Install;
using Installs = std::vector<Install>;
using Texts = std::vector<std::string>;

constexpr std::size_t installs_limit = 50;
constexpr std::size_t configuration_limit = 100;  // files that ld.so.conf includes
constexpr std::size_t directories_limit = 500;

// ---- versions ----

Known<std::string> no_version(const std::string& path) {
    return Known<std::string>::missing(Missing::absent, "no file there tells a version", {path, 0, ""});
}

/// {"cuda": {"name": "CUDA SDK", "version": "12.4.1"}, …}, since CUDA 11.1.
Known<std::string> version_json(Host& host, const std::string& path) {
    const Known<std::string> content = read_file(host, path);
    const Result<Json> json = content ? parse_json(*content) : Result<Json>(Json());
    const Json* cuda = json ? json->find("cuda") : nullptr;
    const std::string version = cuda == nullptr ? "" : cuda->text("version");
    if (!Version::parse(version)) {
        return no_version(path);
    }
    return {version, Source{path, 0, "\"cuda\": {\"version\": \"" + version + "\"}"}};
}

/// "CUDA Version 10.1.243", before.
Known<std::string> version_txt(Host& host, const std::string& path) {
    const Known<std::string> line = read_value(host, path);
    const std::optional<std::string_view> version =
        line ? after_prefix(*line, "CUDA Version ") : std::nullopt;
    if (!version || !Version::parse(*version)) {
        return no_version(path);
    }
    return {std::string(*version), line.source()};
}

/// "#define CUDA_VERSION 12040" is 12.4.
Known<std::string> version_in_header(Host& host, const std::string& path) {
    const Known<std::string> content = read_file(host, path);
    int number = 0;
    for (std::string_view line : lines_of(content ? std::string_view(*content) : std::string_view())) {
        ++number;
        const std::optional<std::string_view> define = after_prefix(line, "#define CUDA_VERSION");
        const std::optional<std::int64_t> code = define ? parse_int(trimmed(*define)) : std::nullopt;
        if (code && *code >= 1000 && *code < 1000000) {
            return {std::to_string(*code / 1000) + "." + std::to_string(*code % 1000 / 10),
                    Source{path, number, std::string(line)}};
        }
    }
    return no_version(path);
}

/// "cuda-12.4", "rocm-6.2.0".
Known<std::string> version_in_name(const std::string& path) {
    const std::string name = last_part_of(path);
    const std::size_t dash = name.find('-');
    const std::string version = dash == std::string::npos ? "" : name.substr(dash + 1);
    return Version::parse(version) ? Known<std::string>(version, Source{path, 0, path}) : no_version(path);
}

Known<std::string> cuda_version(Host& host, const std::string& path) {
    if (Known<std::string> version = version_json(host, path + "/version.json")) {
        return version;
    }
    if (Known<std::string> version = version_txt(host, path + "/version.txt")) {
        return version;
    }
    // The header is a megabyte that a snapshot would carry along; it comes after the small files.
    if (Known<std::string> version = version_in_header(host, path + "/include/cuda.h")) {
        return version;
    }
    return version_in_name(path);
}

/// "6.2.0-66".
Known<std::string> rocm_version(Host& host, const std::string& path) {
    const Known<std::string> line = read_value(host, path + "/.info/version");
    const std::optional<Version> version = line ? Version::parse_prefix(*line) : std::nullopt;
    return version ? Known<std::string>(version->text(), line.source()) : version_in_name(path);
}

// ---- installations ----

/// Whether a directory of /usr/local or /opt is `name` itself or one version of it, "cuda-12.4".
bool is_install_name(std::string_view entry, std::string_view name) {
    const std::optional<std::string_view> rest = after_prefix(entry, name);
    return rest && (rest->empty() || (rest->front() == '-' && Version::parse(rest->substr(1))));
}

/// Adds the real directories behind the entries of `folder`; the links cuda, cuda-12 and the directory
/// cuda-12.4 are one. A folder that is not there holds none; any other failure is returned.
Known<bool> add_places(Host& host, const std::string& folder, std::string_view name, Texts& places) {
    const Known<Texts> entries = list_directory(host, folder);
    if (!entries) {
        return entries.why() == Missing::absent ? Known<bool>(true) : Known<bool>::missing_like(entries);
    }
    for (const std::string& entry : *entries) {
        if (!is_install_name(entry, name) || places.size() >= installs_limit) {
            continue;
        }
        const Known<std::string> real = resolved_path(host, folder + "/" + entry);
        if (real && std::ranges::find(places, *real) == places.end()) {
            places.push_back(*real);
        }
    }
    return {true};
}

template <class VersionOf>
Known<Installs> installs_at(Host& host, const Texts& places, const Known<bool>& all_seen,
                            const Source& source, VersionOf version_of) {
    if (places.empty() && !all_seen) {
        return Known<Installs>::missing_like(all_seen);
    }
    Installs installs;
    for (const std::string& place : places) {
        installs.push_back(
            Install{Known<std::string>(place, Source{place, 0, place}), version_of(host, place)});
    }
    return {std::move(installs), source};
}

/// /opt/cuda is Arch Linux's place, /usr/lib/cuda Debian's.
Known<bool> add_cuda_places(Host& host, Texts& places) {
    Known<bool> all_seen = add_places(host, "/usr/local", "cuda", places);
    for (const std::string path : {"/opt/cuda", "/usr/lib/cuda"}) {
        const Known<bool> there = exists(host, path);
        const Known<std::string> real = there.is(true) ? resolved_path(host, path) : Known<std::string>();
        if (real && std::ranges::find(places, *real) == places.end()) {
            places.push_back(*real);
        }
        if (!there) {
            all_seen = there;
        }
    }
    return all_seen;
}

Known<std::string> find_nvcc(Host& host, const Known<std::map<std::string, std::string>>& environment,
                             const Texts& places) {
    if (!environment) {
        return Known<std::string>::missing_like(environment);
    }
    const auto path = environment->find("PATH");
    Texts candidates =
        inside_each(directories_in(path == environment->end() ? "" : path->second, ":"), "nvcc");
    candidates.emplace_back("/usr/local/cuda/bin/nvcc");
    for (const std::string& place : places) {
        candidates.push_back(place + "/bin/nvcc");
    }
    return first_existing(host, candidates);
}

// ---- libraries ----

Known<Texts> cuda_library_dirs(Host& host, const Texts& places, const Known<Installs>& installs) {
    if (!installs) {
        return Known<Texts>::missing_like(installs);
    }
    Texts directories;
    for (const std::string& place : places) {
        for (const std::string inside :
             {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib"}) {
            const Known<Texts> names = list_directory(host, place + inside);
            const bool holds = names && std::ranges::any_of(*names, [](const std::string& name) {
                                   return name.starts_with("libcudart.so");
                               });
            const Known<std::string> real =
                holds ? resolved_path(host, place + inside) : Known<std::string>();
            if (real && std::ranges::find(directories, *real) == directories.end()) {
                directories.push_back(*real);
            }
        }
    }
    return {std::move(directories), installs.source()};
}

/// Whether a name fits a shell pattern of '*' and '?'.
bool fits(std::string_view name, std::string_view pattern) {
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    std::size_t at = 0;
    std::size_t in_pattern = 0;
    while (at < name.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            resume = at;
        } else if (in_pattern < pattern.size() &&
                   (pattern[in_pattern] == '?' || pattern[in_pattern] == name[at])) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

/// Reads ld.so.conf and what it includes, each file once.
class LoaderConfiguration {
public:
    explicit LoaderConfiguration(Host& host) : host_(host) {}

    /// Missing when the first file is there and cannot be read.
    Known<bool> read() {
        Texts files = {"/etc/ld.so.conf"};
        for (std::size_t next = 0; next < files.size() && next < configuration_limit; ++next) {
            const Known<std::string> content = read_file(host_, files[next]);
            if (!content && content.why() != Missing::absent) {
                return Known<bool>::missing_like(content);
            }
            for (std::string_view line :
                 lines_of(content ? std::string_view(*content) : std::string_view())) {
                read_line(line, files);
            }
        }
        return {true};
    }

    const Texts& directories() const { return directories_; }

private:
    void read_line(std::string_view line, Texts& files) {
        line = trimmed(line.substr(0, line.find('#')));
        const std::vector<std::string_view> words = words_of(line);
        if (words.empty() || words.front() == "hwcap") {
            return;
        }
        if (words.front() == "include") {
            for (std::size_t i = 1; i < words.size(); ++i) {
                add_files(words[i], files);
            }
            return;
        }
        for (std::string& directory : directories_in(line, " \t:,")) {
            if (directories_.size() < directories_limit) {
                directories_.push_back(std::move(directory));
            }
        }
    }

    /// A pattern stands for names of one directory; relative ones start at /etc.
    void add_files(std::string_view pattern, Texts& files) {
        const std::string path =
            is_absolute_path(pattern) ? std::string(pattern) : "/etc/" + std::string(pattern);
        const std::string folder = parent_of(path);
        const Known<Texts> names = list_directory(host_, folder);
        for (const std::string& name : names ? *names : Texts{}) {
            const std::string file = folder + "/" + name;
            if (fits(name, last_part_of(path)) && std::ranges::find(files, file) == files.end()) {
                files.push_back(file);
            }
        }
    }

    Host& host_;
    Texts directories_;
};

Known<Texts> searched_dirs(Host& host, const Known<std::map<std::string, std::string>>& environment) {
    if (!environment) {
        return Known<Texts>::missing_like(environment);
    }
    LoaderConfiguration configuration(host);
    if (const Known<bool> read = configuration.read(); !read) {
        return Known<Texts>::missing_like(read);
    }
    const auto variable = environment->find("LD_LIBRARY_PATH");
    Texts directories = directories_in(variable == environment->end() ? "" : variable->second, ":;");
    for (const std::string& directory : configuration.directories()) {
        if (std::ranges::find(directories, directory) == directories.end()) {
            directories.push_back(directory);
        }
    }
    return {std::move(directories), Source{"LD_LIBRARY_PATH and /etc/ld.so.conf", 0, ""}};
}

Known<Texts> cached_cuda_libraries(Host& host) {
    const Known<std::vector<CachedLibrary>> cache = loader_cache(host);
    if (!cache) {
        return Known<Texts>::missing_like(cache);
    }
    Texts paths;
    for (const CachedLibrary& entry : *cache) {
        if (entry.name.starts_with("libcudart.so")) {
            paths.push_back(entry.path);
        }
    }
    return {std::move(paths), cache.source()};
}

// ---- compilers ----

/// nvcc has no version but that of its toolkit. Debian's and Ubuntu's is a script whose toolkit is
/// described in /usr/lib/cuda.
Known<std::string> nvcc_version(Host& host, const Known<std::string>& nvcc, const Known<Installs>& installs) {
    if (!nvcc || !installs) {
        return nvcc ? Known<std::string>::missing_like(installs) : nvcc;
    }
    const Known<std::string> real = resolved_path(host, *nvcc);
    const std::string file = real ? *real : *nvcc;
    for (const Install& install : *installs) {
        const bool debian = *install.path == "/usr/lib/cuda" && file.starts_with("/usr/bin/");
        if (debian || file.starts_with(*install.path + "/")) {
            return install.version;
        }
    }
    return no_version(file);
}

/// /usr/bin/gcc is a link to gcc-13 in Debian's world; elsewhere the only folder of
/// /usr/lib/gcc/TARGET tells.
Known<std::string> gcc_version(Host& host) {
    const Known<std::string> target = link_target(host, "/usr/bin/gcc");
    const std::string name = target ? last_part_of(*target) : "";
    const std::size_t dash = name.rfind("gcc-");
    if (dash != std::string::npos && parse_int(name.substr(dash + 4))) {
        return {name.substr(dash + 4), Source{"/usr/bin/gcc", 0, "-> " + *target}};
    }
    if (!exists(host, "/usr/bin/gcc").is(true)) {
        return Known<std::string>::missing(Missing::absent, "no gcc here", {"/usr/bin/gcc", 0, ""});
    }
    const std::string folder = "/usr/lib/gcc";
    const Known<Texts> targets = list_directory(host, folder);
    for (const std::string& entry : targets ? *targets : Texts{}) {
        const Known<Texts> versions = list_directory(host, folder + "/" + entry);
        const std::optional<Version> only =
            versions && versions->size() == 1 ? Version::parse(versions->front()) : std::nullopt;
        if (only && contains(entry, "linux")) {
            return {std::to_string(only->major()), Source{folder + "/" + entry, 0, versions->front()}};
        }
    }
    return no_version("/usr/bin/gcc");
}

Known<bool> rocm_on_path(Host& host, const Known<std::map<std::string, std::string>>& environment) {
    if (!environment) {
        return Known<bool>::missing_like(environment);
    }
    const auto path = environment->find("PATH");
    const std::string list = path == environment->end() ? "" : path->second;
    const Known<std::string> found = first_existing(host, inside_each(directories_in(list, ":"), "rocminfo"));
    if (!found && found.why() != Missing::absent) {
        return Known<bool>::missing_like(found);
    }
    return {found.known(), Source{"environment", 0, "PATH=" + list}};
}

}  // namespace

void probe(Host& host, Facts& facts) {
    ToolkitFacts& toolkit = facts.toolkit;
    const Known<std::map<std::string, std::string>> environment = variables(host);

    Texts cuda_places;
    const Known<bool> cuda_seen = add_cuda_places(host, cuda_places);
    toolkit.cuda = installs_at(host, cuda_places, cuda_seen, {"/usr/local", 0, ""}, cuda_version);
    toolkit.nvcc = find_nvcc(host, environment, cuda_places);
    toolkit.cuda_library_dirs = cuda_library_dirs(host, cuda_places, toolkit.cuda);

    Texts rocm_places;
    const Known<bool> rocm_seen = add_places(host, "/opt", "rocm", rocm_places);
    toolkit.rocm = installs_at(host, rocm_places, rocm_seen, {"/opt", 0, ""}, rocm_version);

    toolkit.searched_dirs = searched_dirs(host, environment);
    toolkit.cached_cuda_libraries = cached_cuda_libraries(host);
    toolkit.nvcc_version = nvcc_version(host, toolkit.nvcc, toolkit.cuda);
    toolkit.gcc_version = gcc_version(host);
    // Only who has ROCm is asked for its programs.
    const bool has_rocm = toolkit.rocm && !toolkit.rocm->empty();
    toolkit.rocm_on_path = has_rocm ? rocm_on_path(host, environment)
                                    : Known<bool>::missing(Missing::absent, "no ROCm here", {"/opt", 0, ""});
}

}  // namespace whygpu::probes::toolkit
