// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/list_scheduler.h"

#include <vector>

#include "ferry/memory/schedule_tracker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

// 0 defines 10; 1 reads it for the last time, 2 only defines 1. All three end.
TEST(ListSchedulerTest, WhatFreesMostComesFirst) {
  std::vector<SchedulingNode> nodes(3);
  nodes[1].predecessors = nodes[1].reads = {0};
  const SchedulingProblem problem(
      nodes, {{.bytes = 10, .definer = 0},
              {.bytes = 1, .definer = 1, .lives_out = true},
              {.bytes = 20, .definer = 2, .lives_out = true}});
  EXPECT_THAT(ListSchedule(problem), ElementsAre(0, 1, 2));
}

TEST(ListSchedulerTest, UrgencyComesBeforeBytes) {
  std::vector<SchedulingNode> nodes(3);
  nodes[0].urgency = SchedulingNode::Urgency::kLast;
  nodes[2].urgency = SchedulingNode::Urgency::kFirst;
  const SchedulingProblem problem(nodes, {{.bytes = 1, .definer = 0},
                                          {.bytes = 10, .definer = 1},
                                          {.bytes = 20, .definer = 2}});
  EXPECT_THAT(ListSchedule(problem), ElementsAre(2, 1, 0));
}

TEST(ListSchedulerTest, AmongEqualsMoreUsersAndThenTheLatestReadyWin) {
  std::vector<SchedulingNode> nodes(3);
  nodes[0].users = 2;
  const SchedulingProblem problem(nodes, {});
  EXPECT_THAT(ListSchedule(problem), ElementsAre(0, 2, 1));
}

// The first reader of the buffer makes the second its last.
TEST(ListSchedulerTest, KeysFollowWhatHasRun) {
  std::vector<SchedulingNode> nodes(4);
  nodes[0].urgency = SchedulingNode::Urgency::kFirst;
  nodes[1].predecessors = nodes[2].predecessors = {0};
  nodes[1].reads = nodes[2].reads = {0};
  const SchedulingProblem problem(
      nodes, {{.bytes = 10, .definer = 0},
              {.bytes = 1, .definer = 1, .lives_out = true},
              {.bytes = 3, .definer = 2, .lives_out = true},
              {.bytes = 2, .definer = 3, .lives_out = true}});
  EXPECT_THAT(ListSchedule(problem), ElementsAre(0, 1, 2, 3));
}

// 0 is made at once but used at the end; 1 and 2 are a chain of their own.
TEST(ReverseListSchedulerTest, WhatIsUsedLateIsMadeLate) {
  std::vector<SchedulingNode> nodes(4);
  nodes[2].predecessors = nodes[2].reads = {1};
  nodes[3].predecessors = nodes[3].reads = {0, 2};
  const SchedulingProblem problem(
      nodes, {{.bytes = 5, .definer = 0},
              {.bytes = 10, .definer = 1},
              {.bytes = 1, .definer = 2},
              {.bytes = 1, .definer = 3, .lives_out = true}});
  EXPECT_THAT(ReverseListSchedule(problem), ElementsAre(1, 2, 0, 3));
  EXPECT_EQ(PeakOfOrder(problem, ListSchedule(problem)), 16);
  EXPECT_EQ(PeakOfOrder(problem, ReverseListSchedule(problem)), 11);
}

}  // namespace
}  // namespace ferry
