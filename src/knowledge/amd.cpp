#include "knowledge/amd.h"

#include <algorithm>

#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

std::optional<GfxSupport> gfx_support(const Knowledge& tables, std::string_view gfx) {
    const std::optional<Table::Row> row = find_row(tables.table("amd_gfx"), "gfx", gfx);
    if (!row) {
        return std::nullopt;
    }
    GfxSupport support;
    support.gfx = row->text("gfx");
    support.architecture = row->text("architecture");
    support.apu = flag_in(*row, "apu");
    support.official = flag_in(*row, "official_linux");
    support.official_note = row->text("official_note");
    // A wrong override hangs the GPU or computes nonsense: nothing else than a safe one leaves this file.
    if (flag_in(*row, "override_safe").value_or(false)) {
        support.safe_override = row->text("override");
    }
    support.note = row->text("note");
    support.source = row->text("source");
    support.confidence = row->text("confidence");
    return support;
}

std::string gfx_of_pci_name(const Knowledge& tables, std::string_view pci_ids_name) {
    const Table& targets = tables.table("amd_gfx");
    std::string gfx;
    std::size_t best_length = 0;
    for (std::size_t index = 0; index < targets.size(); ++index) {
        for (const std::string& prefix : targets.row(index).items("chip_prefixes")) {
            if (prefix.size() > best_length && pci_ids_name.starts_with(prefix)) {
                gfx = targets.row(index).text("gfx");
                best_length = prefix.size();
            }
        }
    }
    return gfx;
}

std::optional<bool> rocm_official(const Knowledge& tables, std::string_view gfx, std::string_view card_name) {
    for (const std::string& name : {std::string(card_name), "AMD " + std::string(card_name)}) {
        const std::optional<Table::Row> card = find_row(tables.table("amd_cards"), "name", name);
        if (card && card->cell("gfx") == gfx && flag_in(*card, "official_linux")) {
            return flag_in(*card, "official_linux");
        }
    }
    const std::optional<Table::Row> target = find_row(tables.table("amd_gfx"), "gfx", gfx);
    return target ? flag_in(*target, "official_linux") : std::nullopt;
}

std::optional<std::vector<std::string>> torch_rocm_code(const Knowledge& tables, const Version& torch_release,
                                                        std::string_view tag) {
    const Table& builds = tables.table("torch_rocm");
    for (std::size_t index = 0; index < builds.size(); ++index) {
        const Table::Row row = builds.row(index);
        const bool wanted = row.cell("tag") == tag && version_in(row, "series") == major_minor(torch_release);
        if (wanted && row.cell("gfx")) {
            return row.items("gfx");
        }
    }
    return std::nullopt;
}

std::optional<RocmChoice> newest_rocm_torch_for(const Knowledge& tables, std::string_view gfx) {
    const Table& builds = tables.table("torch_rocm");
    std::optional<RocmChoice> newest;
    for (std::size_t index = 0; index < builds.size(); ++index) {
        const Table::Row row = builds.row(index);
        const std::optional<Version> series = version_in(row, "series");
        const std::vector<std::string> targets = row.items("gfx");
        const bool has_code = std::find(targets.begin(), targets.end(), gfx) != targets.end();
        if (series && has_code && (!newest || *series > newest->series)) {
            newest = RocmChoice{*series, row.text("tag"), "whl/" + row.text("tag")};
        }
    }
    return newest;
}

}  // namespace whygpu
