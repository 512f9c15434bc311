// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_improver.h"

#include <numeric>
#include <vector>

#include "ferry/memory/schedule_lower_bound.h"
#include "ferry/memory/schedule_tracker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

// 0..2 are made first and used last, one after the other, with a large step 3
// in between.
SchedulingProblem EarlyValues() {
  std::vector<SchedulingNode> nodes(7);
  for (int32_t i = 0; i < 3; ++i) {
    nodes[4 + i].predecessors = nodes[4 + i].reads = {i, 3};
  }
  std::vector<SchedulingBuffer> buffers;
  for (int32_t i = 0; i < 7; ++i) {
    buffers.push_back({.bytes = i < 3 ? 10 : 1, .definer = i});
  }
  nodes[3].beside_bytes = 50;
  return SchedulingProblem(nodes, buffers);
}

TEST(ScheduleImproverTest, ValuesThatWaitAreMadeLater) {
  const SchedulingProblem problem = EarlyValues();
  const std::vector<int32_t> start = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(PeakOfOrder(problem, start), 81);
  const std::vector<int32_t> improved =
      ImproveSchedule(problem, start, LeastPeakBytes(problem));
  EXPECT_TRUE(problem.IsLegal(improved));
  EXPECT_EQ(PeakOfOrder(problem, improved), 51);
}

TEST(ScheduleImproverTest, WithoutBudgetNothingChanges) {
  EXPECT_THAT(
      ImproveSchedule(EarlyValues(), {0, 1, 2, 3, 4, 5, 6}, 0, {.budget = 0}),
      ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(ScheduleImproverTest, EndsWhereItIsGoodEnough) {
  EXPECT_THAT(ImproveSchedule(EarlyValues(), {0, 1, 2, 3, 4, 5, 6}, 81),
              ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(ScheduleImproverTest, NothingToOrderIsInOrder) {
  EXPECT_TRUE(ImproveSchedule(SchedulingProblem(), {}, 0).empty());
}

}  // namespace
}  // namespace ferry
