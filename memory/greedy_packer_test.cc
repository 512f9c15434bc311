// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/greedy_packer.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> PackInOrder(const PackingProblem& problem,
                                 std::vector<int32_t> order, GreedyFit fit) {
  std::vector<int64_t> offsets(problem.buffers.size(), 0);
  GreedyPacker(problem).Pack(order, fit, GreedyPacker::kTooHigh, offsets);
  return offsets;
}

TEST(GreedyPackerTest, OrdersBySizeDurationAreaAndStart) {
  const PackingProblem problem = {
      .buffers = {{.live = {5, 6}, .size_bytes = 9},
                  {.live = {0, 9}, .size_bytes = 2},
                  {.live = {1, 4}, .size_bytes = 9},
                  {.live = {7, 8}, .size_bytes = 1, .fixed_offset_bytes = 0}}};
  const GreedyPacker packer(problem);
  EXPECT_THAT(packer.Order(GreedyOrder::kSizeDuration),
              ElementsAre(3, 2, 0, 1));
  EXPECT_THAT(packer.Order(GreedyOrder::kDurationSize),
              ElementsAre(3, 1, 2, 0));
  EXPECT_THAT(packer.Order(GreedyOrder::kArea), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(packer.Order(GreedyOrder::kStart), ElementsAre(3, 1, 2, 0));
}

// Rooms of 10 at 0 and of 4 at 20.
const PackingProblem kRooms = {
    .buffers = {{.live = {0, 9}, .size_bytes = 10, .fixed_offset_bytes = 10},
                {.live = {0, 9}, .size_bytes = 6, .fixed_offset_bytes = 24},
                {.live = {0, 9}, .size_bytes = 3}}};

TEST(GreedyPackerTest, BestFitTakesTheSmallestRoomAndFirstFitTheLowest) {
  EXPECT_EQ(PackInOrder(kRooms, {0, 1, 2}, GreedyFit::kBest)[2], 20);
  EXPECT_EQ(PackInOrder(kRooms, {0, 1, 2}, GreedyFit::kFirst)[2], 0);
}

TEST(GreedyPackerTest, RoomsBeginAtAlignedOffsets) {
  PackingProblem problem = kRooms;
  problem.buffers[2].alignment_bytes = 8;
  EXPECT_EQ(PackInOrder(problem, {0, 1, 2}, GreedyFit::kBest)[2], 0);
}

TEST(GreedyPackerTest, StopsAtTheLimit) {
  std::vector<int64_t> offsets(3, 0);
  GreedyPacker packer(kRooms);
  EXPECT_EQ(
      packer.Pack(std::vector<int32_t>{0, 1, 2}, GreedyFit::kBest, 30, offsets),
      GreedyPacker::kTooHigh);
  EXPECT_EQ(
      packer.Pack(std::vector<int32_t>{0, 1, 2}, GreedyFit::kBest, 31, offsets),
      30);
}

// A staircase: the upper half comes at 4, so its room is free before.
TEST(GreedyPackerTest, LaterPiecesLeaveTheirRoomToOthersBefore) {
  const PackingProblem problem = {
      .buffers = {{.pieces = {{{0, 9}, 0, 32}, {{4, 9}, 32, 32}}},
                  {.live = {0, 4}, .size_bytes = 40},
                  {.live = {4, 9}, .size_bytes = 8}}};
  EXPECT_THAT(PackInOrder(problem, {0, 1, 2}, GreedyFit::kBest),
              ElementsAre(0, 32, 64));
}

TEST(GreedyPackerTest, SeesFixedBuffersInEachOthersWay) {
  EXPECT_FALSE(GreedyPacker(kRooms).HasFixedConflict());
  PackingProblem problem = kRooms;
  problem.buffers[1].fixed_offset_bytes = 19;
  EXPECT_TRUE(GreedyPacker(problem).HasFixedConflict());
}

TEST(GreedyPackerTest, WhatEndsBeyond63BitsIsTooHigh) {
  const PackingBuffer huge = {.live = {0, 1}, .size_bytes = int64_t{1} << 62};
  const PackingProblem problem = {.buffers = {huge, huge}};
  std::vector<int64_t> offsets(2, 0);
  EXPECT_EQ(
      GreedyPacker(problem).Pack(std::vector<int32_t>{0, 1}, GreedyFit::kBest,
                                 GreedyPacker::kTooHigh, offsets),
      GreedyPacker::kTooHigh);
}

}  // namespace
}  // namespace ferry
