// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_bounds.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(PackingBoundsTest, NothingNeedsNothing) {
  EXPECT_EQ(LoadBound({}).bytes, ByteCount(0));
}

TEST(PackingBoundsTest, IsTheMostThatIsLiveAtOnce) {
  const PackingBound bound =
      LoadBound({.buffers = {{.live = {0, 2}, .size_bytes = 8},
                             {.live = {1, 4}, .size_bytes = 5},
                             {.live = {2, 3}, .size_bytes = 9}}});
  EXPECT_EQ(bound.bytes, ByteCount(14));
  EXPECT_EQ(bound.time, 2);
}

// Two of three 10-byte buffers take whole units of 16; the top one does not.
TEST(PackingBoundsTest, AllButTheTopOneTakeWholeUnitsOfTheAlignment) {
  const PackingBuffer buffer = {
      .live = {0, 2}, .size_bytes = 10, .alignment_bytes = 16};
  EXPECT_EQ(LoadBound({.buffers = {buffer, buffer, buffer}}).bytes,
            ByteCount(42));
}

TEST(PackingBoundsTest, GapsNeedNothing) {
  const PackingBuffer gap = {.pieces = {{{0, 2}, 0, 8}, {{4, 6}, 0, 8}}};
  EXPECT_EQ(
      LoadBound({.buffers = {gap, {.live = {2, 4}, .size_bytes = 5}}}).bytes,
      ByteCount(8));
}

TEST(PackingBoundsTest, PiecesOfOneBufferCountOnceWhereTheyOverlap) {
  const PackingBuffer buffer = {.pieces = {{{0, 4}, 0, 8}, {{2, 6}, 4, 8}}};
  EXPECT_EQ(LoadBound({.buffers = {buffer}}).bytes, ByteCount(12));
}

TEST(PackingBoundsTest, AFixedBufferNeedsWhatLiesBelow) {
  EXPECT_EQ(LoadBound({.buffers = {{.live = {0, 1},
                                    .size_bytes = 8,
                                    .fixed_offset_bytes = 100}}})
                .bytes,
            ByteCount(108));
}

TEST(PackingBoundsTest, MoreThan63BitsIsSaidExactly) {
  const PackingBuffer huge = {.live = {0, 1}, .size_bytes = int64_t{1} << 62};
  EXPECT_EQ(LoadBound({.buffers = {huge, huge, huge}}).bytes.ToString(),
            "13835058055282163712");
}

}  // namespace
}  // namespace ferry
