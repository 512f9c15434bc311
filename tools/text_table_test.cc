// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/text_table.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(TextTableTest, AlignsColumns) {
  EXPECT_EQ(TextTable({{"a", "bb", "c"}, {"aaa", "b"}}),
            "  a    bb  c\n"
            "  aaa  b\n");
}

TEST(TextTableTest, NoRowsAreNoText) { EXPECT_EQ(TextTable({}), ""); }

}  // namespace
}  // namespace ferry
