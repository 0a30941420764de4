#include "support/answers_host.h"

#include <gtest/gtest.h>

#include "host/snapshot.h"

namespace whygpu::testing {

std::unique_ptr<Host> host_from_answers(std::string_view text) {
    Result<RecordedAnswers> answers = parse_answers(text);
    EXPECT_TRUE(answers.has_value()) << (answers ? "" : answers.error().message);
    if (!answers) {
        return nullptr;
    }
    Snapshot snapshot;
    snapshot.records = std::move(answers->records);
    snapshot.absent_prefixes = std::move(answers->absent_prefixes);
    return make_snapshot_host(std::move(snapshot));
}

}  // namespace whygpu::testing
