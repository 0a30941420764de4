#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json.h"
#include "facts/access.h"
#include "facts/facts.h"
#include "knowledge/knowledge.h"

namespace whygpu::testing {

/// Facts written as unit cases write them (TOML); a failed expectation where the text is wrong.
inline Facts facts_of(std::string_view toml) {
    Facts facts;
    const Result<Json> tree = parse_toml(toml);
    EXPECT_TRUE(tree.has_value()) << (tree ? "" : tree.error().message);
    if (tree) {
        const Result<void> assigned = assign_facts(facts, *tree);
        EXPECT_TRUE(assigned.has_value()) << (assigned ? "" : assigned.error().message);
    }
    return facts;
}

/// The embedded tables.
inline const Knowledge& tables() {
    static const Knowledge all = Knowledge::load().value();
    return all;
}

}  // namespace whygpu::testing
