#pragma once

#include <string>
#include <string_view>

// Names of people and machines, and the environment.

namespace whygpu {

/// The text with every whole-word `name` replaced, whatever its case. Names that identify nobody
/// (root, ubuntu) or that evidence is made of (nvidia, cuda), and very short ones, are left alone.
std::string without_name(std::string_view text, std::string_view name, std::string_view replacement);

/// The text with `home`, as a whole path or the start of one, replaced by "<home>".
std::string without_home(std::string_view text, std::string_view home);

/// /etc/group or /etc/passwd without the accounts of people: system accounts (numbers below 1000)
/// stay, members of groups are <user> for `user` and <other> for the rest.
std::string without_accounts(std::string_view text, std::string_view user);

/// The lines of an environment whose variables steer GPU software; values that name a place inside
/// a cluster are emptied.
std::string kept_variables(std::string_view environment);

}  // namespace whygpu
