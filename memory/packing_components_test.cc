// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_components.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

TEST(PackingComponentsTest, BuffersThatNeverMeetAreApart) {
  const PackingComponents result =
      FindPackingComponents({.buffers = {{.live = {0, 3}, .size_bytes = 1},
                                         {.live = {5, 8}, .size_bytes = 1},
                                         {.live = {2, 5}, .size_bytes = 1},
                                         {.live = {6, 7}, .size_bytes = 1},
                                         {.live = {0, 9}, .size_bytes = 0}}});
  EXPECT_THAT(result.components,
              ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
  EXPECT_EQ(result.overlapping_pairs, 2);
}

TEST(PackingComponentsTest, PiecesOfOneBufferHoldComponentsTogether) {
  const PackingComponents result = FindPackingComponents(
      {.buffers = {{.live = {0, 3}, .size_bytes = 1},
                   {.live = {5, 8}, .size_bytes = 1},
                   {.pieces = {{{2, 3}, 0, 1}, {{7, 8}, 0, 1}}}}});
  EXPECT_THAT(result.components, ElementsAre(ElementsAre(0, 1, 2)));
}

}  // namespace
}  // namespace ferry
