// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/section_model.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

TEST(SectionModelTest, HasOneSectionForEachLargestSetOfLiveBuffers) {
  const SectionModel model({.buffers = {{.live = {0, 4}, .size_bytes = 1},
                                        {.live = {2, 6}, .size_bytes = 1},
                                        {.live = {5, 9}, .size_bytes = 1},
                                        {.live = {7, 12}, .size_bytes = 1}}});
  ASSERT_EQ(model.section_count(), 3);
  EXPECT_THAT(model.ItemsOf(0), ElementsAre(0, 1));
  EXPECT_THAT(model.ItemsOf(1), ElementsAre(1, 2));
  EXPECT_THAT(model.ItemsOf(2), ElementsAre(2, 3));
  EXPECT_EQ(model.CountPairs(), 3);
  EXPECT_TRUE(model.is_exact);
}

TEST(SectionModelTest, SizesAreRoundedUpToTheCommonAlignment) {
  const SectionModel model(
      {.buffers = {{.live = {0, 1}, .size_bytes = 10, .alignment_bytes = 16},
                   {.live = {0, 1}, .size_bytes = 30, .alignment_bytes = 24}}});
  EXPECT_EQ(model.items[0].height, 16);
  EXPECT_EQ(model.items[0].size_bytes, 10);
  EXPECT_EQ(model.items[1].height, 32);
  EXPECT_EQ(model.unit, 8);
}

TEST(SectionModelTest, ColocatedBuffersHaveTheirHeightWhereTheyLive) {
  const SectionModel model(
      {.buffers = {{.pieces = {{{0, 2}, 0, 64}, {{4, 6}, 0, 48}}},
                   {.live = {2, 4}, .size_bytes = 8},
                   {.live = {5, 6}, .size_bytes = 8}}});
  ASSERT_EQ(model.SpansOf(0).size(), 2u);
  EXPECT_FALSE(model.items[0].is_uniform);
  EXPECT_EQ(model.HeightUnder(0, 1), 0);
  EXPECT_EQ(model.HeightUnder(0, 2), 48);
  EXPECT_TRUE(model.is_exact);
}

TEST(SectionModelTest, TheRoomUnderAHighPieceIsLost) {
  const SectionModel model(
      {.buffers = {{.pieces = {{{0, 9}, 0, 32}, {{4, 9}, 32, 32}}},
                   {.live = {5, 6}, .size_bytes = 8}}});
  EXPECT_EQ(model.HeightUnder(0, 1), 64);
  EXPECT_FALSE(model.is_exact);
}

TEST(SectionModelTest, HeightsAreOffsetsOfTheUnitPlusASize) {
  const SectionModel model(
      {.buffers = {{.live = {0, 1}, .size_bytes = 10, .alignment_bytes = 16},
                   {.live = {0, 1}, .size_bytes = 20, .alignment_bytes = 16}}});
  EXPECT_EQ(model.NextHeight(30), 36);
  EXPECT_EQ(model.NextHeight(36), 42);
  EXPECT_EQ(model.NextHeight(42), 52);
}

}  // namespace
}  // namespace ferry
