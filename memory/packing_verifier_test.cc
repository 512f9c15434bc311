// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/packing_verifier.h"

#include <random>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<PackingRule> Broken(const PackingProblem& problem,
                                const std::vector<int64_t>& offsets) {
  std::vector<PackingRule> rules;
  for (const PackingViolation& violation :
       FindPackingViolations(problem, offsets)) {
    rules.push_back(violation.rule);
  }
  return rules;
}

const PackingProblem kTwo = {.buffers = {{.live = {0, 3}, .size_bytes = 8},
                                         {.live = {2, 5}, .size_bytes = 8}}};

TEST(PackingVerifierTest, TouchingIsNoOverlap) {
  EXPECT_THAT(Broken(kTwo, {0, 8}), ElementsAre());
  EXPECT_THAT(Broken({.buffers = {{.live = {0, 2}, .size_bytes = 8},
                                  {.live = {2, 5}, .size_bytes = 8}}},
                     {0, 0}),
              ElementsAre());
}

TEST(PackingVerifierTest, FindsAnOverlapAndNamesBoth) {
  const auto violations = FindPackingViolations(kTwo, {0, 7});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].message,
            "buffer 1 at 7 to 15 overlaps buffer 0 at 0 to 8 at time 2");
}

TEST(PackingVerifierTest, FindsEachRule) {
  EXPECT_THAT(Broken(kTwo, {0}), ElementsAre(PackingRule::kCount));
  EXPECT_THAT(Broken({.buffers = {{.live = {0, 1}, .size_bytes = 8}}}, {-8}),
              ElementsAre(PackingRule::kNegative));
  EXPECT_THAT(Broken({.buffers = {{.live = {0, 1},
                                   .size_bytes = 8,
                                   .alignment_bytes = 8}}},
                     {4}),
              ElementsAre(PackingRule::kAlignment));
  EXPECT_THAT(Broken({.buffers = {{.live = {0, 1},
                                   .size_bytes = 8,
                                   .fixed_offset_bytes = 8}}},
                     {4}),
              ElementsAre(PackingRule::kFixed));
  EXPECT_THAT(Broken({.buffers = {{.live = {0, 1}, .size_bytes = 8}},
                      .capacity_bytes = 15},
                     {8}),
              ElementsAre(PackingRule::kCapacity));
}

// A slice that comes later leaves its bytes to others before.
TEST(PackingVerifierTest, PiecesHoldTheirOwnBytesAtTheirOwnTime) {
  const PackingBuffer sliced = {.pieces = {{{0, 9}, 0, 32}, {{4, 9}, 32, 32}}};
  const PackingProblem problem = {
      .buffers = {sliced, {.live = {0, 4}, .size_bytes = 32}}};
  EXPECT_THAT(Broken(problem, {0, 32}), ElementsAre());
  EXPECT_THAT(Broken(problem, {0, 31}), ElementsAre(PackingRule::kOverlap));
  EXPECT_THAT(Broken({.buffers = {sliced, {.live = {3, 5}, .size_bytes = 32}}},
                     {0, 32}),
              ElementsAre(PackingRule::kOverlap));
}

TEST(PackingVerifierTest, PiecesOfOneBufferMayOverlap) {
  const PackingBuffer buffer = {.pieces = {{{0, 4}, 0, 8}, {{2, 6}, 4, 8}}};
  EXPECT_THAT(Broken({.buffers = {buffer}}, {0}), ElementsAre());
}

// Against all pairs, byte for byte.
TEST(PackingVerifierTest, AgreesWithComparingAllPairs) {
  std::mt19937 random(7);
  const auto number = [&](int64_t below) {
    return static_cast<int64_t>(random() % static_cast<uint32_t>(below));
  };
  int valid = 0;
  for (int round = 0; round < 4000; ++round) {
    PackingProblem problem;
    std::vector<int64_t> offsets;
    for (int64_t i = 0; i < 2 + number(4); ++i) {
      PackingBuffer buffer;
      for (int64_t p = 0; p < 1 + number(3); ++p) {
        const int64_t start = number(6);
        buffer.pieces.push_back(
            {{start, start + number(4)}, number(4), number(4)});
      }
      problem.buffers.push_back(buffer);
      offsets.push_back(number(16));
    }
    bool overlaps = false;
    for (size_t i = 0; i < offsets.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        for (const BufferPiece& a : problem.buffers[i].pieces) {
          for (const BufferPiece& b : problem.buffers[j].pieces) {
            const int64_t at_a = offsets[i] + a.offset_bytes;
            const int64_t at_b = offsets[j] + b.offset_bytes;
            overlaps |= a.live.Overlaps(b.live) && a.size_bytes > 0 &&
                        b.size_bytes > 0 && at_a < at_b + b.size_bytes &&
                        at_b < at_a + a.size_bytes;
          }
        }
      }
    }
    valid += overlaps ? 0 : 1;
    EXPECT_EQ(FindPackingViolations(problem, offsets).empty(), !overlaps);
  }
  EXPECT_GT(valid, 500);
}

TEST(PackingVerifierTest, JudgesHeightAndBoundOfAPacking) {
  Packing packing;
  packing.status = PackingStatus::kFeasible;
  packing.offsets_bytes = {0, 8};
  packing.height_bytes = 16;
  packing.lower_bound_bytes = 16;
  EXPECT_TRUE(VerifyPacking(kTwo, packing).ok());
  packing.lower_bound_bytes = 17;
  EXPECT_THAT(VerifyPacking(kTwo, packing).message(),
              HasSubstr("below the lower bound 17"));
  packing.height_bytes = 15;
  EXPECT_THAT(VerifyPacking(kTwo, packing).message(),
              HasSubstr("the height is 16, not 15"));
  packing.status = PackingStatus::kUnknown;
  EXPECT_THAT(VerifyPacking(kTwo, packing).message(),
              HasSubstr("there are offsets, but no packing"));
}

TEST(PackingVerifierTest, NoBufferEndsBeyondWhatAnOffsetCanSay) {
  const PackingProblem problem = {
      .buffers = {{.live = {0, 4}, .size_bytes = 5}}};
  const std::vector<PackingViolation> violations =
      FindPackingViolations(problem, {INT64_MAX - 4});
  ASSERT_EQ(violations.size(), 1);
  EXPECT_EQ(violations[0].rule, PackingRule::kCapacity);
  EXPECT_TRUE(FindPackingViolations(problem, {INT64_MAX - 5}).empty());
}

}  // namespace
}  // namespace ferry
