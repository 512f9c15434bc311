// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/byte_count.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(ByteCountTest, CountsBeyondSixtyFourBits) {
  const ByteCount big = ByteCount(INT64_MAX) * ByteCount(4);
  EXPECT_EQ(big.ToString(), "36893488147419103228");
  EXPECT_FALSE(big.FitsInt64());
  EXPECT_EQ(big.ToInt64(), INT64_MAX);
}

TEST(ByteCountTest, StaysTooManyOnceItIs) {
  const ByteCount big = ByteCount(INT64_MAX) * ByteCount(INT64_MAX);
  EXPECT_FALSE(big.IsTooMany());
  const ByteCount more = big * ByteCount(8);
  EXPECT_TRUE(more.IsTooMany());
  EXPECT_TRUE((more + ByteCount(1)).IsTooMany());
  EXPECT_TRUE(RoundUp(more, 8).IsTooMany());
  EXPECT_EQ(more.ToString(), "2^128 or more");
}

TEST(ByteCountTest, NothingTimesTooManyIsNothing) {
  EXPECT_EQ(ByteCount::TooMany() * ByteCount(0), ByteCount(0));
}

TEST(ByteCountTest, RoundsUp) {
  EXPECT_EQ(RoundUp(ByteCount(0), 8), ByteCount(0));
  EXPECT_EQ(RoundUp(ByteCount(1), 8), ByteCount(8));
  EXPECT_EQ(RoundUp(ByteCount(8), 8), ByteCount(8));
  EXPECT_EQ(DivideRoundingUp(ByteCount(9), 8), ByteCount(2));
}

}  // namespace
}  // namespace ferry
