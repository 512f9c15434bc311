// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/sweep_packer.h"

#include <cstdint>
#include <random>

#include "ferry/memory/packing_verifier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

TEST(SweepPackerTest, TakesTheSmallestRoomThatIsFreeAtTheMoment) {
  EXPECT_THAT(
      PackInOrderOfTime({.buffers = {{.live = {0, 2}, .size_bytes = 10},
                                     {.live = {0, 9}, .size_bytes = 8},
                                     {.live = {0, 2}, .size_bytes = 4},
                                     {.live = {0, 9}, .size_bytes = 2},
                                     {.live = {2, 9}, .size_bytes = 3}}}),
      ElementsAre(0, 10, 18, 22, 18));
}

TEST(SweepPackerTest, SaysWhenAddressesDoNotReach) {
  const PackingBuffer huge = {.live = {0, 1}, .size_bytes = int64_t{1} << 62};
  EXPECT_THAT(PackInOrderOfTime({.buffers = {huge, huge}}), ElementsAre());
}

TEST(SweepPackerTest, RandomPackingsAreValid) {
  std::mt19937 random(3);
  PackingProblem problem;
  for (int64_t i = 0; i < 2000; ++i) {
    const int64_t start = static_cast<int64_t>(random() % 500);
    PackingBuffer buffer = {
        .live = {start, start + static_cast<int64_t>(random() % 40)},
        .size_bytes = static_cast<int64_t>(random() % 100),
        .alignment_bytes = 1 + static_cast<int64_t>(random() % 8)};
    if (i == 0) buffer.fixed_offset_bytes = 40 * buffer.alignment_bytes;
    problem.buffers.push_back(buffer);
  }
  EXPECT_TRUE(
      FindPackingViolations(problem, PackInOrderOfTime(problem)).empty());
}

}  // namespace
}  // namespace ferry
