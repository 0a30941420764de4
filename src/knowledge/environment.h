#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace whygpu {

class Knowledge;

/// What is known about an environment variable.
struct VariableStatus {
    enum class Kind {
        read,     ///< some program reads it under this name
        renamed,  ///< an old name; `use_instead` is the name now
        unread,   ///< seen in use, read by no program that we know; say "not a variable we know"
        unknown,  ///< not in the table, which is no proof of anything
    };
    Kind kind = Kind::unknown;
    std::string use_instead;  ///< a variable or a call; "" when there is none
    std::string read_by;      ///< "torch"
    std::string when;         ///< when it is read: build, launch, import, "first CUDA use"…; "" not known
    std::string form;         ///< form of its value, "" when not known
    std::string note;
};

/// By exact name, else by the patterns of the table ("SLURM_*").
VariableStatus variable_status(const Knowledge& tables, std::string_view name);

/// For a name that no program is known to read: the variable that was probably meant. Differs by at
/// most two letters (left out, added, changed, or neighbours swapped) within words of four letters and
/// more, so that NCCL_IB_TC, a variable of its own, is not taken for NCCL_IB_HCA.
std::optional<std::string> nearest_known(const Knowledge& tables, std::string_view name);

}  // namespace whygpu
