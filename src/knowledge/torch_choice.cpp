#include <algorithm>
#include <string>

#include "base/text.h"
#include "knowledge/cuda.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"
#include "knowledge/torch.h"

namespace whygpu {

namespace {

struct Wish {
    const Version& compute_capability;
    const std::optional<Version>& driver;
    std::string_view platform;
    const std::optional<Version>& python;
};

struct Candidate {
    std::string tag;
    Version cuda;
    bool full = false;   // the driver serves the CUDA in full
    bool usual = false;  // plain pip installs this one
};

// A row whose tags nobody read, or whose companions are not known yet, must not become advice.
bool can_be_advised(const Table::Row& release) {
    return release.cell("cuda_tags") && release.cell("torchvision") && release.text("tags_assumed") == "no";
}

bool has_wheel_for(const Table::Row& release, const std::optional<Version>& python) {
    if (!python) {
        return true;
    }
    const std::optional<Version> least = version_in(release, "python_min");
    const std::optional<Version> documented = version_in(release, "python_max");
    const std::optional<Version> most = std::max(documented, version_in(release, "python_max_pypi"));
    const Version wanted = major_minor(*python);
    return least && most && *least <= wanted && wanted <= *most;
}

// Wheels can carry code for a card that their cuDNN has none for: Kepler in cu118 from torch 2.4 on.
bool cudnn_serves(const Knowledge& tables, const std::optional<Version>& cudnn,
                  const Version& compute_capability) {
    const Table& limits = tables.table("cudnn_capabilities");
    for (std::size_t index = 0; cudnn && index < limits.size(); ++index) {
        const std::optional<Version> from = version_in(limits.row(index), "cudnn");
        const std::optional<Version> least = version_in(limits.row(index), "min_cc");
        if (from && least && *cudnn >= *from && compute_capability < *least) {
            return false;
        }
    }
    return true;
}

std::optional<Candidate> candidate_of(const Knowledge& tables, const Version& release, const std::string& tag,
                                      const Wish& wish) {
    const std::optional<WheelCode> code = torch_wheel_code(tables, release, tag, wish.platform);
    const std::optional<Version> cuda = torch_wheel_cuda(tables, release, tag);
    if (!code || !cuda ||
        !cudnn_serves(tables, torch_wheel_cudnn(tables, release, tag), wish.compute_capability)) {
        return std::nullopt;
    }
    using Kind = DriverFit::Kind;
    const Kind driver = wish.driver ? driver_fit(tables, *wish.driver, *cuda).kind : Kind::full;
    const CodeFit fit = code_fit(*code, wish.compute_capability);
    // PTX has to be compiled by the driver, which minor-version compatibility does not cover.
    const bool runs =
        (fit == CodeFit::native && (driver == Kind::full || driver == Kind::minor_compatibility)) ||
        (fit == CodeFit::ptx && driver == Kind::full);
    if (!runs) {
        return std::nullopt;
    }
    return Candidate{tag, *cuda, driver == Kind::full, false};
}

bool better(const Candidate& left, const Candidate& right) {
    if (left.full != right.full) {
        return left.full;
    }
    if (left.full && left.usual != right.usual) {
        return left.usual;
    }
    return left.cuda > right.cuda;
}

std::optional<Candidate> best_tag(const Knowledge& tables, const Table::Row& release, const Version& version,
                                  const Wish& wish) {
    std::string usual = release.text("pypi_" + std::string(wish.platform));
    if (usual.empty() || usual == "cpu") {
        usual = release.text("pypi_linux_x86_64");
    }
    std::optional<Candidate> best;
    for (const std::string& tag : release.items("cuda_tags")) {
        std::optional<Candidate> candidate = candidate_of(tables, version, tag, wish);
        if (!candidate) {
            continue;
        }
        candidate->usual = tag == usual;
        if (!best || better(*candidate, *best)) {
            best = candidate;
        }
    }
    return best;
}

WheelChoice choice_of(const Table::Row& release, const Version& version, const Candidate& candidate) {
    WheelChoice choice;
    choice.torch = version;
    choice.tag = candidate.tag;
    choice.torchvision = release.text("torchvision");
    choice.index_form = release.text("index_form");
    choice.index_path = fill_placeholders(release.text("index_path"), [&](std::string_view name) {
        return name == "tag" ? std::optional(candidate.tag) : std::nullopt;
    });
    choice.cuda = candidate.cuda;
    return choice;
}

}  // namespace

std::optional<WheelChoice> newest_torch_for(const Knowledge& tables, const Version& compute_capability,
                                            const std::optional<Version>& driver, std::string_view platform,
                                            const std::optional<Version>& python) {
    const Wish wish{compute_capability, driver, platform, python};
    const Table& releases = tables.table("torch_releases");
    std::optional<WheelChoice> newest;
    // From the end, where the newest stand: the others are then passed over without a look at their tags.
    for (std::size_t index = releases.size(); index-- > 0;) {
        const Table::Row release = releases.row(index);
        const std::optional<Version> version = version_in(release, "version");
        if (!version || !can_be_advised(release) || !has_wheel_for(release, python)) {
            continue;
        }
        if (newest && *version <= newest->torch) {
            continue;
        }
        if (const std::optional<Candidate> best = best_tag(tables, release, *version, wish)) {
            newest = choice_of(release, *version, *best);
        }
    }
    return newest;
}

}  // namespace whygpu
