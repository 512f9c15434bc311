// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/alignment.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(AlignmentTest, RoundsUpToAMultiple) {
  EXPECT_EQ(AlignUp(0, 8), 0);
  EXPECT_EQ(AlignUp(1, 8), 8);
  EXPECT_EQ(AlignUp(8, 8), 8);
  EXPECT_EQ(AlignUp(7, 1), 7);
}

TEST(AlignmentTest, StaysWithinSixtyThreeBits) {
  EXPECT_EQ(AlignUp(INT64_MAX - 1, 4096), INT64_MAX);
  EXPECT_EQ(SaturatedAdd(INT64_MAX, 1), INT64_MAX);
}

}  // namespace
}  // namespace ferry
