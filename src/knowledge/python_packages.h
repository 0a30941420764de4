#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/version.h"
#include "facts/facts.h"

namespace whygpu {

/// An installed package of the default Python by its normalised name; null when it is not listed.
const PythonFacts::Package* package_named(const Facts& facts, std::string_view name);

/// The release of an installed package: "2.4.1+cpu" → 2.4.1; empty when it cannot be read.
std::optional<Version> release_of(const PythonFacts::Package& package);

/// The local part of its version: "cpu" of 2.4.1+cpu; "" when there is none.
std::string local_of(const PythonFacts::Package& package);

/// A Requires-Dist line in its parts: `torch (==2.4.1) ; extra == "gpu"`.
struct Requirement {
    std::string text;        ///< the line
    std::string name;        ///< normalised, without extras in brackets
    std::string specifiers;  ///< "==2.4.1", "<2.2.0,>=1.26.0"; "" for any version
    std::string marker;      ///< what stands after ';', "" when it always counts
};
Requirement parse_requirement(std::string_view text);

/// Whether the marker holds on this machine. A requirement of an extra counts as wanted only when
/// `with_extras`; markers that are not about system, architecture or extra count as not held.
bool counts_here(const Requirement& requirement, const Facts& facts, bool with_extras);

/// What an installed package asks of another, on this machine; empty when its metadata names none or was
/// not read.
std::optional<Requirement> requirement_on(const PythonFacts::Package& package, std::string_view name,
                                          const Facts& facts, bool with_extras = false);

/// The version of "==2.4.1" alone; empty for ranges and wildcards.
std::optional<Version> exact_pin(const Requirement& requirement);

/// Whether a release fits specifiers such as "<2.2.0,>=1.26.0"; empty when one is not understood.
std::optional<bool> satisfies(const Version& release, std::string_view specifiers);

/// "pip install" argument for the index of wheels with a local part: "cu124" gives
/// " --index-url https://download.pytorch.org/whl/cu124"; "" for no local part.
std::string torch_index_option(std::string_view local);

}  // namespace whygpu
