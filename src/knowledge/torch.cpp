#include "knowledge/torch.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

std::optional<Table::Row> variant_row(const Knowledge& tables, const Version& release, std::string_view tag) {
    const Table& variants = tables.table("torch_variants");
    for (std::size_t index = 0; index < variants.size(); ++index) {
        const Table::Row row = variants.row(index);
        if (row.cell("tag") == tag && version_in(row, "series") == major_minor(release)) {
            return row;
        }
    }
    return std::nullopt;
}

std::optional<WheelCode> code_in(const Table::Row& variant, std::string_view platform) {
    const std::string name(platform);
    if (!variant.cell("sm_" + name)) {
        return std::nullopt;
    }
    WheelCode code;
    code.sm = variant.items("sm_" + name);
    code.ptx = variant.items("ptx_" + name);
    code.confidence = variant.text(platform == "windows" ? "sm_windows_confidence" : "sm_confidence");
    code.source = variant.text("source");
    return code;
}

}  // namespace

std::optional<WheelCode> torch_wheel_code(const Knowledge& tables, const Version& torch_release,
                                          std::string_view tag, std::string_view platform) {
    const std::optional<Table::Row> variant = variant_row(tables, torch_release, tag);
    return variant ? code_in(*variant, platform) : std::nullopt;
}

std::optional<Version> torch_wheel_cuda(const Knowledge& tables, const Version& torch_release,
                                        std::string_view tag) {
    const std::optional<Table::Row> variant = variant_row(tables, torch_release, tag);
    return variant ? version_in(*variant, "cuda") : std::nullopt;
}

std::optional<Version> torch_wheel_cudnn(const Knowledge& tables, const Version& torch_release,
                                         std::string_view tag) {
    const std::optional<Table::Row> variant = variant_row(tables, torch_release, tag);
    return variant && !disputed(*variant, "cudnn") ? version_in(*variant, "cudnn") : std::nullopt;
}

std::vector<std::string> tags_with_code(const Knowledge& tables, const Version& torch_series,
                                        const Version& compute_capability, std::string_view platform) {
    const Table& variants = tables.table("torch_variants");
    std::vector<std::pair<Version, std::string>> found;
    for (std::size_t index = 0; index < variants.size(); ++index) {
        const Table::Row row = variants.row(index);
        if (version_in(row, "series") != major_minor(torch_series)) {
            continue;
        }
        const std::optional<WheelCode> code = code_in(row, platform);
        const CodeFit fit = code ? code_fit(*code, compute_capability) : CodeFit::unknown;
        if (fit == CodeFit::native || fit == CodeFit::ptx) {
            found.emplace_back(version_in(row, "cuda").value_or(Version()), row.text("tag"));
        }
    }
    std::sort(found.begin(), found.end(), std::greater<>());
    std::vector<std::string> tags;
    for (auto& [cuda, tag] : found) {
        tags.push_back(std::move(tag));
    }
    return tags;
}

namespace {

std::string companion_of(const Knowledge& tables, const Version& torch_release, std::string_view column) {
    const Table& releases = tables.table("torch_releases");
    for (std::size_t index = 0; index < releases.size(); ++index) {
        if (version_in(releases.row(index), "version") == torch_release) {
            return releases.row(index).text(column);
        }
    }
    return "";
}

}  // namespace

std::string torchvision_for(const Knowledge& tables, const Version& torch_release) {
    return companion_of(tables, torch_release, "torchvision");
}

std::string torchaudio_for(const Knowledge& tables, const Version& torch_release) {
    return companion_of(tables, torch_release, "torchaudio");
}

}  // namespace whygpu
