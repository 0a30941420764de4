#pragma once

#include <string>

#include "host/host.h"

namespace whygpu {

/// The machine's own names, which no pattern can know. Empty ones are not looked for.
struct OwnNames {
    std::string host;
    std::string user;
    std::string home;  ///< absolute path
};

/// Takes out of answers what identifies a person, a machine or an account, and every secret:
/// host, user and home become <host>, <user>, <home>; addresses, serial numbers, e-mail addresses
/// <ip>, <mac>, <serial>, <email>; tokens, passwords, keys <secret>; UUIDs "<uuid:HASH>", so that
/// equal ones stay equal. Versions, PCI addresses and model names remain. Works on any text; what
/// it returns does not change when it is redacted again. Time is linear in the size of the input.
class Redactor {
public:
    explicit Redactor(OwnNames names) : names_(std::move(names)) {}

    /// The query with names and secrets taken out of its path; command lines are whygpu's own.
    Query redact(Query query) const;

    /// The answer to `query` (as it was before redaction) without them. Of the environment only
    /// variables that steer GPU software are kept.
    Answer redact(const Query& query, Answer answer) const;

    /// Any other text.
    std::string redact(std::string text) const;

private:
    OwnNames names_;
};

}  // namespace whygpu
