// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_lower_bound.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

// 0 -> 1 -> 2, and 2 reads what 0 made: it is live while 1 runs.
SchedulingProblem Over(int32_t unrelated) {
  std::vector<SchedulingNode> nodes(3 + unrelated);
  nodes[1].predecessors = {0};
  nodes[2].predecessors = {0, 1};
  nodes[2].reads = {0};
  return SchedulingProblem(nodes, {{.bytes = 10, .definer = 0},
                                   {.bytes = 30, .definer = 1},
                                   {.bytes = 1, .definer = 2}});
}

TEST(ScheduleLowerBoundTest, WhatAncestorsMadeForDescendantsIsLive) {
  EXPECT_EQ(LeastPeakBytes(Over(0)), 40);
}

TEST(ScheduleLowerBoundTest, BeyondTheLimitANodeCountsByItself) {
  EXPECT_EQ(LeastPeakBytes(Over(5000)), 30);
}

TEST(ScheduleLowerBoundTest, StartAndEndCount) {
  EXPECT_EQ(LeastPeakBytes(SchedulingProblem(
                std::vector<SchedulingNode>(2),
                {{.bytes = 10, .definer = 0, .lives_out = true},
                 {.bytes = 10, .definer = 1, .lives_out = true}},
                5)),
            25);
}

}  // namespace
}  // namespace ferry
