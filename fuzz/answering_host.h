#pragma once

#include <string>
#include <utility>

#include "host/host.h"

namespace whygpu::fuzz {

/// A machine that gives one answer to one kind of question and knows nothing else.
class AnsweringHost : public Host {
public:
    AnsweringHost(QueryKind kind, Answer answer) : kind_(kind), answer_(std::move(answer)) {}

    Answer answer(const Query& query) override {
        if (query.kind == kind_) {
            return answer_;
        }
        Answer nothing;
        nothing.missing = Missing::not_asked;
        nothing.because = "not asked";
        return nothing;
    }

private:
    QueryKind kind_;
    Answer answer_;
};

/// An answer made of an input. Bytes that no text begins with say at its start what is special about it:
/// 0 to 6 missing for that reason, 7 cut off, 14 and 15 a command that failed.
inline Answer answer_from(std::string_view input) {
    Answer answer;
    const int head = input.empty() ? ' ' : static_cast<unsigned char>(input.front());
    const bool missing = head <= static_cast<int>(Missing::not_asked);
    const bool special = missing || head == 7 || head == 14 || head == 15;
    answer.text = input.substr(special ? 1 : 0);
    if (missing) {
        answer.missing = static_cast<Missing>(head);
        answer.because = "as the fuzzer wants it";
    }
    answer.truncated = head == 7;
    answer.exit_code = special && head > 7 ? head : 0;
    return answer;
}

}  // namespace whygpu::fuzz
