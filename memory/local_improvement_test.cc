// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/local_improvement.h"

#include "ferry/memory/packing_verifier.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

PackingProblem Staggered() {
  PackingProblem problem;
  for (int64_t i = 0; i < 60; ++i) {
    problem.buffers.push_back(
        {.live = {i * 7 % 50, i * 7 % 50 + 3 + i * 5 % 17},
         .size_bytes = 3 + i * 13 % 29});
  }
  return problem;
}

GreedyPacking Greedy(const PackingProblem& problem, GreedyPacker& packer) {
  GreedyPacking packing;
  packing.order = packer.Order(GreedyOrder::kStart);
  packing.offsets.assign(problem.buffers.size(), 0);
  packing.height = packer.Pack(packing.order, packing.fit,
                               GreedyPacker::kTooHigh, packing.offsets);
  return packing;
}

TEST(LocalImprovementTest, LowersAPackingAndKeepsItValid) {
  const PackingProblem problem = Staggered();
  GreedyPacker packer(problem);
  GreedyPacking packing = Greedy(problem, packer);
  const int64_t before = packing.height;
  ImproveByReordering(problem, packer, {.target = 0, .visit_limit = 300'000},
                      packing);
  EXPECT_LT(packing.height, before);
  EXPECT_TRUE(
      FindPackingViolations({problem.buffers, packing.height}, packing.offsets)
          .empty());
}

TEST(LocalImprovementTest, StopsAtTheTargetAndWhenToldTo) {
  const PackingProblem problem = Staggered();
  GreedyPacker packer(problem);
  GreedyPacking packing = Greedy(problem, packer);
  const int64_t before = packing.height;
  EXPECT_EQ(
      ImproveByReordering(problem, packer,
                          {.target = before, .visit_limit = 1000}, packing),
      0);
  EXPECT_EQ(
      ImproveByReordering(
          problem, packer,
          {.target = 0, .visit_limit = 1000, .is_stopped = [] { return true; }},
          packing),
      0);
  EXPECT_EQ(packing.height, before);
}

}  // namespace
}  // namespace ferry
