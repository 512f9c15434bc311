// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/byte_footprint.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(ByteFootprintTest, RangesThatTouchAreOne) {
  ByteFootprint bytes;
  bytes.Add({0, 0}, 10);
  bytes.Add({0, 20}, 30);
  bytes.Add({0, 10}, 20);
  EXPECT_THAT(bytes.ranges(), ElementsAre(Pair(Pair(0, 0), 30)));
}

TEST(ByteFootprintTest, ARangeSwallowsThoseWithin) {
  ByteFootprint bytes;
  bytes.Add({0, 10}, 12);
  bytes.Add({0, 14}, 16);
  bytes.Add({0, 40}, 50);
  bytes.Add({0, 5}, 20);
  bytes.Add({0, 6}, 7);
  EXPECT_THAT(bytes.ranges(),
              ElementsAre(Pair(Pair(0, 5), 20), Pair(Pair(0, 40), 50)));
}

TEST(ByteFootprintTest, AllocationsAreApart) {
  ByteFootprint bytes;
  bytes.Add({0, 0}, 10);
  bytes.Add({1, 10}, 20);
  EXPECT_THAT(bytes.ranges(),
              ElementsAre(Pair(Pair(0, 0), 10), Pair(Pair(1, 10), 20)));
  EXPECT_TRUE(bytes.Touches({1, 19}, 25));
  EXPECT_FALSE(bytes.Touches({1, 20}, 25));
  EXPECT_FALSE(bytes.Touches({1, 0}, 10));
  EXPECT_FALSE(bytes.Touches({0, 10}, 20));
}

}  // namespace
}  // namespace ferry
