#include "knowledge/nvidia.h"

#include <algorithm>

#include "base/text.h"
#include "knowledge/knowledge.h"
#include "knowledge/rows.h"

namespace whygpu {

namespace {

Chip chip_in(const Table::Row& row) {
    Chip chip;
    chip.name = row.text("chip");
    chip.architecture = row.text("architecture");
    chip.compute_capability = version_in(row, "compute_capability");
    chip.last_driver_branch = int_in(row, "last_driver_branch");
    chip.min_driver_branch = int_in(row, "min_driver_branch");
    chip.min_driver_certain = row.text("min_driver_confidence") == "primary";
    chip.open_modules = row.text("open_kernel_modules");
    chip.kind = row.text("kind");
    chip.jetson = chip.kind == "tegra";
    chip.bf16 = flag_in(row, "bf16");
    chip.tensor_cores = flag_in(row, "tensor_cores");
    chip.first_cuda = version_in(row, "first_cuda");
    chip.last_cuda = version_in(row, "last_cuda");
    chip.source = row.text("source");
    chip.confidence = row.text("confidence");
    return chip;
}

std::optional<Table::Row> row_of_name(const Table& chips, std::string_view pci_ids_name) {
    std::optional<Table::Row> best;
    std::size_t best_length = 0;
    for (std::size_t index = 0; index < chips.size(); ++index) {
        const std::string_view key = chips.row(index).cell("chip").value_or("");
        if (key.size() > best_length && pci_ids_name.starts_with(key)) {
            best = chips.row(index);
            best_length = key.size();
        }
    }
    return best;
}

std::optional<Table::Row> row_of_id(const Knowledge& tables, std::string_view device_id) {
    const std::optional<std::uint64_t> id = parse_hex(device_id);
    const Table& blocks = tables.table("nvidia_id_blocks");
    for (std::size_t index = 0; id && index < blocks.size(); ++index) {
        const Table::Row block = blocks.row(index);
        const std::optional<std::uint64_t> from = parse_hex(block.text("from"));
        const std::optional<std::uint64_t> to = parse_hex(block.text("to"));
        if (from && to && *from <= *id && *id <= *to) {
            return find_row(tables.table("nvidia_chips"), "chip", block.text("chip"));
        }
    }
    return std::nullopt;
}

std::string_view without_maker(std::string_view name) {
    return after_prefix(trimmed(name), "NVIDIA ").value_or(trimmed(name));
}

template <class Value>
void keep_if_equal(std::optional<Value>& shared, const std::optional<Value>& other) {
    if (shared != other) {
        shared.reset();
    }
}

// Narrows `shared` to what another chip of the same capability has as well.
void keep_shared(Chip& shared, const Chip& other) {
    shared.name.clear();
    if (shared.architecture != other.architecture) {
        shared.architecture.clear();
    }
    if (shared.open_modules != other.open_modules) {
        shared.open_modules.clear();
    }
    if (shared.kind != other.kind) {
        shared.kind.clear();
    }
    shared.jetson = shared.jetson && other.jetson;
    shared.min_driver_branch.reset();
    shared.min_driver_certain = false;
    keep_if_equal(shared.last_driver_branch, other.last_driver_branch);
    keep_if_equal(shared.bf16, other.bf16);
    keep_if_equal(shared.tensor_cores, other.tensor_cores);
    keep_if_equal(shared.first_cuda, other.first_cuda);
    keep_if_equal(shared.last_cuda, other.last_cuda);
}

// A disputed value is as good as none.
std::optional<double> sure_number(const Table::Row& row, std::string_view column) {
    return disputed(row, column) ? std::nullopt : double_in(row, column);
}

Card card_in(const Table::Row& row) {
    Card card;
    card.name = row.text("name");
    card.chip = disputed(row, "chip") ? "" : row.text("chip");
    card.compute_capability = version_in(row, "compute_capability");
    card.laptop = flag_in(row, "laptop").value_or(false);
    card.vram_gib = sure_number(row, "vram_gib");
    card.tdp_w = sure_number(row, "tdp_w");
    // A supply that nobody's page names is a recollection: no ground for telling people to buy one.
    if (row.text("psu_confidence") != "inferred") {
        card.psu_w = double_in(row, "psu_w");
    }
    card.pcie_gen = int_in(row, "pcie_gen");
    card.pcie_width = int_in(row, "pcie_width");
    card.bandwidth_gbs = sure_number(row, "bandwidth_gbs");
    card.fp32_tflops = sure_number(row, "fp32_tflops");
    card.fp16_tflops = double_in(row, "fp16_acc32_tflops");
    card.bf16 = flag_in(row, "bf16");
    card.source = row.text("source");
    card.confidence = row.text("confidence");
    return card;
}

bool branch_serves(const Table::Row& branch, const Chip& chip) {
    const std::optional<int> number = int_in(branch, "branch");
    const std::optional<Version> cuda = version_in(branch, "smi_cuda");
    const bool new_enough = number && *number >= chip.min_driver_branch.value_or(0);
    // A branch whose CUDA has no code for the chip came before the chip.
    return new_enough && cuda && chip.first_cuda && *cuda >= *chip.first_cuda;
}

}  // namespace

std::optional<Chip> chip_by_name(const Knowledge& tables, std::string_view chip) {
    const std::optional<Table::Row> row = find_row(tables.table("nvidia_chips"), "chip", chip);
    return row ? std::optional(chip_in(*row)) : std::nullopt;
}

std::optional<Chip> chip_of_device(const Knowledge& tables, std::string_view device_id,
                                   std::string_view pci_ids_name) {
    std::optional<Table::Row> row = row_of_name(tables.table("nvidia_chips"), pci_ids_name);
    if (!row) {
        row = row_of_id(tables, device_id);
    }
    if (!row) {
        return std::nullopt;
    }
    Chip chip = chip_in(*row);
    const std::vector<std::string> exceptions = row->items("open_required_ids");
    const std::string id = lower(after_prefix(device_id, "0x").value_or(device_id));
    if (std::find(exceptions.begin(), exceptions.end(), id) != exceptions.end()) {
        chip.open_modules = "required";
    }
    return chip;
}

std::optional<Chip> chip_of_capability(const Knowledge& tables, const Version& compute_capability) {
    const Table& chips = tables.table("nvidia_chips");
    std::optional<Chip> shared;
    for (std::size_t index = 0; index < chips.size(); ++index) {
        const Chip chip = chip_in(chips.row(index));
        if (chip.compute_capability != compute_capability) {
            continue;
        }
        if (!shared) {
            shared = chip;
            continue;
        }
        keep_shared(*shared, chip);
    }
    return shared;
}

std::string marketing_name(std::string_view pci_ids_name) {
    const std::size_t open = pci_ids_name.find('[');
    const std::size_t close = pci_ids_name.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2) {
        return std::string(trimmed(pci_ids_name));
    }
    return std::string(trimmed(pci_ids_name.substr(open + 1, close - open - 1)));
}

std::optional<Card> card_by_name(const Knowledge& tables, std::string_view name) {
    const Table& cards = tables.table("nvidia_cards");
    for (std::size_t index = 0; index < cards.size(); ++index) {
        if (without_maker(cards.row(index).cell("name").value_or("")) == without_maker(name)) {
            return card_in(cards.row(index));
        }
    }
    return std::nullopt;
}

std::optional<int> advised_driver_branch(const Knowledge& tables, const Chip& chip) {
    if (chip.jetson || chip.last_driver_branch) {
        return chip.last_driver_branch;
    }
    const Table& branches = tables.table("driver_branches");
    for (std::size_t index = 0; index < branches.size(); ++index) {
        const Table::Row branch = branches.row(index);
        const bool kept = flag_in(branch, "supported").value_or(false) && branch.text("kind") == "LTSB";
        if (kept && branch_serves(branch, chip)) {
            return int_in(branch, "branch");
        }
    }
    return std::nullopt;
}

}  // namespace whygpu
