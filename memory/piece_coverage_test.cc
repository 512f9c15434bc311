// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/piece_coverage.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<CoverageStep> Steps(const std::vector<BufferPiece>& pieces) {
  std::vector<CoverageStep> steps;
  AppendCoverageSteps(pieces, steps);
  return steps;
}

TEST(PieceCoverageTest, OnePiece) {
  EXPECT_THAT(Steps({{{2, 5}, 0, 64}}),
              ElementsAre(CoverageStep{2, 64}, CoverageStep{5, -64}));
}

TEST(PieceCoverageTest, NothingTakesNothing) {
  EXPECT_THAT(Steps({{{2, 2}, 0, 64}, {{1, 3}, 0, 0}}), IsEmpty());
}

TEST(PieceCoverageTest, WhatStandsOnOneAnotherCountsOnce) {
  EXPECT_THAT(Steps({{{0, 9}, 0, 32}, {{4, 9}, 0, 64}}),
              ElementsAre(CoverageStep{0, 32}, CoverageStep{4, 32},
                          CoverageStep{9, -64}));
}

TEST(PieceCoverageTest, WhatStandsApartCountsTwice) {
  EXPECT_THAT(Steps({{{0, 9}, 0, 32}, {{4, 6}, 100, 32}}),
              ElementsAre(CoverageStep{0, 32}, CoverageStep{4, 32},
                          CoverageStep{6, -32}, CoverageStep{9, -32}));
}

TEST(PieceCoverageTest, AHandOverIsNoStep) {
  EXPECT_THAT(Steps({{{0, 4}, 0, 32}, {{4, 6}, 0, 32}}),
              ElementsAre(CoverageStep{0, 32}, CoverageStep{6, -32}));
}

TEST(PieceCoverageTest, SortingJoinsStepsOfOneMoment) {
  std::vector<CoverageStep> steps = {{3, -5}, {0, 5}, {3, 7}, {1, 2}, {1, -2}};
  SortCoverageSteps(steps);
  EXPECT_THAT(steps, ElementsAre(CoverageStep{0, 5}, CoverageStep{3, 2}));
}

TEST(PieceCoverageTest, RandomPiecesAsCountedByteByByte) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<BufferPiece> pieces;
    const int count = 1 + random() % 6;
    for (int i = 0; i < count; ++i) {
      const int64_t start = random() % 8;
      pieces.push_back({{start, start + static_cast<int64_t>(random() % 5)},
                        static_cast<int64_t>(random() % 6),
                        static_cast<int64_t>(random() % 6)});
    }
    const std::vector<CoverageStep> steps = Steps(pieces);
    for (LogicalTime time = 0; time < 14; ++time) {
      int64_t covered = 0;
      for (int64_t byte = 0; byte < 12; ++byte) {
        bool is_covered = false;
        for (const BufferPiece& p : pieces) {
          is_covered =
              is_covered ||
              (p.live.start <= time && time < p.live.end &&
               p.offset_bytes <= byte && byte < p.offset_bytes + p.size_bytes);
        }
        covered += is_covered ? 1 : 0;
      }
      int64_t sum = 0;
      for (const CoverageStep& step : steps) {
        if (step.time <= time) sum += step.bytes;
      }
      ASSERT_EQ(sum, covered) << "round " << round << " time " << time;
    }
  }
}

}  // namespace
}  // namespace ferry
