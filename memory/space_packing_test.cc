// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/space_packing.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ferry/memory/pack_buffers.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

PackingBuffer Buffer(LogicalTime start, LogicalTime end, int64_t size) {
  PackingBuffer buffer;
  buffer.live = {start, end};
  buffer.size_bytes = size;
  return buffer;
}

SpacePacking Pack(const std::vector<PackingBuffer>& rooms,
                  const std::vector<PackingBuffer>& temporaries,
                  int64_t alignment) {
  absl::StatusOr<SpacePacking> packing = PackSpace(
      rooms, temporaries, alignment, [](const PackingProblem& problem) {
        return PackBuffers(problem, {.effort = 0});
      });
  EXPECT_TRUE(packing.ok()) << packing.status();
  return *std::move(packing);
}

TEST(SpacePackingTest, WithoutRoomsAllIsHeap) {
  const SpacePacking packing =
      Pack({}, {Buffer(0, 4, 100), Buffer(2, 6, 100)}, 64);
  EXPECT_EQ(packing.heap_bytes, 228);
  EXPECT_EQ(packing.places[0].room, SpacePacking::kHeap);
  EXPECT_EQ(packing.heap_lower_bound_bytes, ByteCount(228));
}

TEST(SpacePackingTest, NothingNeedsNoHeap) {
  EXPECT_EQ(Pack({Buffer(0, 4, 100)}, {}, 64).heap_bytes, 0);
}

// The room is not in use before 5: two stand in it at a time.
TEST(SpacePackingTest, FreeTimeOfARoomIsUsed) {
  const SpacePacking packing =
      Pack({Buffer(5, 9, 128)}, {Buffer(0, 4, 60), Buffer(2, 5, 64)}, 64);
  EXPECT_EQ(packing.heap_bytes, 0);
  EXPECT_EQ(packing.places[0].room, 0);
  EXPECT_EQ(packing.places[1].room, 0);
  EXPECT_NE(packing.places[0].offset_bytes, packing.places[1].offset_bytes);
}

TEST(SpacePackingTest, WhatIsLiveAtTheSameTimeStaysOut) {
  const SpacePacking packing =
      Pack({Buffer(5, 9, 128)}, {Buffer(0, 6, 60)}, 64);
  EXPECT_EQ(packing.heap_bytes, 60);
}

// It would fit if the two rooms were one.
TEST(SpacePackingTest, NothingStandsInTwoRooms) {
  const SpacePacking packing =
      Pack({Buffer(5, 9, 128), Buffer(5, 9, 128)}, {Buffer(0, 4, 192)}, 64);
  EXPECT_EQ(packing.places[0].room, SpacePacking::kHeap);
  EXPECT_EQ(packing.heap_bytes, 192);
}

// A room ends at its last byte, not at the next aligned one.
TEST(SpacePackingTest, RoomsAreNoLargerThanTheyAre) {
  EXPECT_EQ(Pack({Buffer(5, 9, 100)}, {Buffer(0, 4, 101)}, 64).heap_bytes, 101);
  EXPECT_EQ(Pack({Buffer(5, 9, 100)}, {Buffer(0, 4, 100)}, 64).heap_bytes, 0);
}

TEST(SpacePackingTest, OnlyTheLargestRoomsAreUsed) {
  std::vector<PackingBuffer> rooms;
  for (size_t i = 0; i <= kMaxRooms; ++i) rooms.push_back(Buffer(5, 9, 64));
  rooms.push_back(Buffer(5, 9, 640));
  const SpacePacking packing = Pack(rooms, {Buffer(0, 4, 640)}, 64);
  EXPECT_EQ(packing.places[0].room, static_cast<int32_t>(kMaxRooms + 1));
}

TEST(SpacePackingTest, ErrorsOfThePackerArePassedOn) {
  const std::vector<PackingBuffer> temporaries = {Buffer(0, 4, 640)};
  const absl::StatusOr<SpacePacking> packing =
      PackSpace({}, temporaries, 64, [](const PackingProblem&) {
        return absl::StatusOr<Packing>(absl::CancelledError("stop"));
      });
  EXPECT_EQ(packing.status().code(), absl::StatusCode::kCancelled);
}

// Only the largest are used, but the bound is of all.
TEST(SpacePackingTest, RoomsThatAreLeftOutCountForTheBound) {
  std::vector<PackingBuffer> rooms(kMaxRooms, Buffer(0, 1, 64));
  rooms.push_back(Buffer(0, 1, 32));
  const SpacePacking packing = Pack(rooms, {Buffer(2, 3, 100)}, 1);
  EXPECT_EQ(packing.heap_bytes, 100);
  EXPECT_LE(packing.heap_lower_bound_bytes, ByteCount(68));
}

}  // namespace
}  // namespace ferry
