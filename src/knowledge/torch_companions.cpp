#include "knowledge/torch_companions.h"

#include "base/text.h"
#include "knowledge/installed_torch.h"
#include "knowledge/knowledge.h"
#include "knowledge/python_packages.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

using Kind = CompanionCheck::Kind;

/// The companion's release that goes with a torch release; "" when none is known.
std::string fitting_release(const Knowledge& tables, const Version& torch, std::string_view name) {
    const std::optional<Table::Row> row = find_row(tables.table("torch_releases"), "version", torch.text());
    return row ? row->text(name) : "";
}

/// The torch series that a release of the companion was made for: torchvision 0.19 → "2.4".
std::string torch_of(const Knowledge& tables, const Version& companion, std::string_view name) {
    const Table& releases = tables.table("torch_releases");
    for (std::size_t index = 0; index < releases.size(); ++index) {
        const std::optional<Version> its = version_in(releases.row(index), name);
        const std::optional<Version> torch = version_in(releases.row(index), "version");
        if (its && torch && major_minor(*its) == major_minor(companion)) {
            return major_minor(*torch).text();
        }
    }
    return "";
}

bool is_published(const PythonVersion& version) {
    const std::string& local = version.local;
    return !version.pre_release && (local.empty() || local == "cpu" || local == "xpu" ||
                                    local.starts_with("cu") || local.starts_with("rocm"));
}

/// "cu118" → "11"; the last digit is the minor version.
std::string_view cuda_major(std::string_view tag) {
    return tag.size() > 3 ? tag.substr(2, tag.size() - 3) : std::string_view();
}

/// "cu118" → "11.8"
std::string cuda_of(std::string_view tag) {
    return std::string(cuda_major(tag)) + "." + std::string(tag.substr(tag.size() - 1));
}

// torchvision compares the majors of the two CUDA versions when it is imported, torchaudio both parts.
bool other_cuda(std::string_view name, std::string_view companion, std::string_view torch) {
    if (!companion.starts_with("cu") || !torch.starts_with("cu")) {
        return false;
    }
    return name == "torchaudio" ? companion != torch : cuda_major(companion) != cuda_major(torch);
}

bool has_gpu_code(const PythonFacts& python) {
    return (python.torch_cuda && *python.torch_cuda != "none") ||
           (python.torch_hip && *python.torch_hip != "none");
}

/// Sets what it was built for, as far as it can be told.
Kind compare_series(CompanionCheck& check, const Facts& facts, const Knowledge& tables, std::string_view name,
                    const Version& torch) {
    const std::string fitting = check.args.contains("fitting") ? check.args.at("fitting") : "";
    const std::optional<Version> release = release_of(*check.package);
    const std::optional<Requirement> needs = requirement_on(*check.package, "torch", facts);
    if (const std::optional<Version> pin = needs ? exact_pin(*needs) : std::nullopt) {
        check.pinned = true;
        check.pin = Source{check.package->requirements.source().origin, 0, needs->text};
        check.args["its"] = major_minor(*pin).text();
        return major_minor(*pin) == major_minor(torch) ? Kind::fits : Kind::other_torch;
    }
    const std::optional<Version> wanted = Version::parse(fitting);
    if (!wanted || !release || major_minor(*wanted) == major_minor(*release)) {
        return Kind::fits;
    }
    const std::string its = torch_of(tables, *release, name);
    if (its.empty()) {
        return Kind::fits;  // newer than the table: nothing is known about it
    }
    check.args["its"] = its;
    return Kind::other_torch;
}

}  // namespace

CompanionCheck check_companion(const Facts& facts, const Knowledge& tables, std::string_view name) {
    const PythonFacts& python = facts.python;
    CompanionCheck check;
    check.package = package_named(facts, name);
    const bool no_torch = !python.torch_version && python.torch_version.why() == Missing::absent;
    if (no_torch || (python.packages && check.package == nullptr)) {
        check.kind = Kind::no_pair;
        return check;
    }
    const std::optional<InstalledTorch> torch = installed_torch(facts, tables);
    if (check.package == nullptr || !torch) {
        return check;
    }
    const std::optional<PythonVersion> own = PythonVersion::parse(*check.package->version);
    if (!own || !is_published(*own) || !is_published(torch->version)) {
        check.kind = Kind::no_pair;
        return check;
    }
    const std::string fitting = fitting_release(tables, torch->version.release, name);
    check.args = {{"package", std::string(name)},
                  {"version", *check.package->version},
                  {"torch", torch->version_text},
                  {"undo", std::string(name) + "==" + own->release.text() + torch_index_option(own->local)}};
    if (torch->cuda) {
        check.args["cuda"] = torch->cuda->text();
    }
    check.args["advice"] = fitting.empty() ? "none" : "release";
    if (!fitting.empty()) {
        check.args["fitting"] = fitting;
        check.args["requirement"] =
            std::string(name) + "==" + fitting + torch_index_option(torch->version.local);
    }
    check.kind = compare_series(check, facts, tables, name, torch->version.release);
    if (check.kind == Kind::fits && own->local == "cpu" && has_gpu_code(python)) {
        check.kind = Kind::cpu_build;
    } else if (check.kind == Kind::fits && other_cuda(name, own->local, torch->tag)) {
        check.args["its"] = cuda_of(own->local);
        check.kind = Kind::other_cuda;
    }
    return check;
}

}  // namespace whygpu
