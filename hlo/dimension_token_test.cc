// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/dimension_token.h"

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(DimensionTokenTest, TakesTheLongestToken) {
  HloLexer sizes(" 3x5x2stride=");
  EXPECT_EQ(ScanDimensionSizes(sizes), "3x5x2");
  EXPECT_EQ(sizes.ScanAttributeName(), "stride");
  HloLexer pads("0_-1_2x3_4x");
  EXPECT_EQ(ScanPaddings(pads), "0_-1_2x3_4");
  HloLexer labels("b01f_01io->b01fx");
  EXPECT_EQ(ScanDimensionLabels(labels), "b01f_01io->b01f");
}

TEST(DimensionTokenTest, LeavesTheLexerWhereThereIsNone) {
  HloLexer lexer("3 x5");
  EXPECT_EQ(ScanDimensionSizes(lexer), "");
  EXPECT_EQ(ScanPaddings(lexer), "");
  EXPECT_EQ(ScanDimensionLabels(lexer), "");
  EXPECT_EQ(lexer.ScanInteger(), "3");
  HloLexer labels("b01f_01bf->b01f");
  EXPECT_EQ(ScanDimensionLabels(labels), "");
}

TEST(DimensionTokenTest, ReadsTheNumbers) {
  DimensionRows rows;
  ASSERT_TRUE(ReadDimensionRows("0_-1_2x3_4", rows));
  EXPECT_EQ(rows, (DimensionRows{{0, -1, 2}, {3, 4}}));
  EXPECT_FALSE(ReadDimensionRows("9223372036854775808x1", rows));
}

}  // namespace
}  // namespace ferry
