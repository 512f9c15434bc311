// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/slice_bounds.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(SliceBoundsTest, StridesMayBeLeftOut) {
  const auto bounds = ReadSliceBounds("{[0:4], [2:8:3]}");
  ASSERT_TRUE(bounds.has_value());
  ASSERT_EQ(bounds->size(), 2);
  EXPECT_EQ((*bounds)[0].limit, 4);
  EXPECT_EQ((*bounds)[0].stride, 1);
  EXPECT_EQ((*bounds)[1].start, 2);
  EXPECT_EQ((*bounds)[1].stride, 3);
}

TEST(SliceBoundsTest, AScalarHasNone) {
  const auto bounds = ReadSliceBounds("{}");
  ASSERT_TRUE(bounds.has_value());
  EXPECT_TRUE(bounds->empty());
}

TEST(SliceBoundsTest, OtherTextIsRefused) {
  EXPECT_FALSE(ReadSliceBounds("").has_value());
  EXPECT_FALSE(ReadSliceBounds("{[0:4}").has_value());
  EXPECT_FALSE(ReadSliceBounds("{[:4]}").has_value());
  EXPECT_FALSE(ReadSliceBounds("{[0:4]} x").has_value());
}

}  // namespace
}  // namespace ferry
