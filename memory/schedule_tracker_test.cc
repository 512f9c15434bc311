// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/schedule_tracker.h"

#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

// a defines 10, b reads it and defines 10, c reads both and defines 1.
SchedulingProblem Chain(bool takes_over) {
  std::vector<SchedulingNode> nodes(3);
  nodes[1].predecessors = nodes[1].reads = {0};
  nodes[2].predecessors = nodes[2].reads = {1};
  if (takes_over) nodes[1].takeovers = {{1, 0}};
  return SchedulingProblem(nodes,
                           {{.bytes = 10, .definer = 0},
                            {.bytes = 10, .definer = 1},
                            {.bytes = 1, .definer = 2, .lives_out = true}});
}

TEST(ScheduleTrackerTest, CountsReadsAndResultsWhileANodeRuns) {
  const SchedulingProblem problem = Chain(false);
  ScheduleTracker tracker(problem);
  tracker.Run(0);
  EXPECT_EQ(tracker.live_bytes(), 10);
  tracker.Run(1);
  EXPECT_EQ(tracker.running_bytes(), 20);
  EXPECT_EQ(tracker.live_bytes(), 10);
  tracker.Run(2);
  EXPECT_EQ(tracker.live_bytes(), 1);
  EXPECT_EQ(tracker.peak_bytes(), 20);
  EXPECT_EQ(tracker.peak_node(), 1);
}

TEST(ScheduleTrackerTest, AResultMayTakeOverWhatDies) {
  EXPECT_EQ(PeakOfOrder(Chain(true), {0, 1, 2}), 11);
}

// The operand is read again, so it does not die.
TEST(ScheduleTrackerTest, NothingIsTakenOverThatLivesOn) {
  std::vector<SchedulingNode> nodes(3);
  nodes[1].predecessors = nodes[1].reads = {0};
  nodes[2].predecessors = nodes[2].reads = {0, 1};
  nodes[1].takeovers = {{1, 0}};
  const SchedulingProblem problem(
      nodes, {{.bytes = 10, .definer = 0}, {.bytes = 10, .definer = 1}});
  EXPECT_EQ(PeakOfOrder(problem, {0, 1, 2}), 20);
}

// Two results want the one operand.
TEST(ScheduleTrackerTest, BytesAreTakenOverOnce) {
  std::vector<SchedulingNode> nodes(2);
  nodes[1].predecessors = nodes[1].reads = {0};
  nodes[1].takeovers = {{1, 0}, {2, 0}};
  const SchedulingProblem problem(nodes, {{.bytes = 10, .definer = 0},
                                          {.bytes = 10, .definer = 1},
                                          {.bytes = 10, .definer = 1}});
  EXPECT_EQ(PeakOfOrder(problem, {0, 1}), 20);
}

TEST(ScheduleTrackerTest, CalleesNeedBytesBesideOrInsteadOfResults) {
  std::vector<SchedulingNode> nodes(2);
  nodes[0].beside_bytes = 5;
  nodes[1].instead_bytes = 12;
  const SchedulingProblem problem(
      nodes, {{.bytes = 10, .definer = 0, .lives_out = true},
              {.bytes = 10, .definer = 1, .lives_out = true}});
  EXPECT_EQ(PeakOfOrder(problem, {0, 1}), 22);
  EXPECT_EQ(PeakOfOrder(problem, {1, 0}), 25);
}

TEST(ScheduleTrackerTest, WhatIsThereAtTheStartCountsFromThere) {
  std::vector<SchedulingNode> nodes(2);
  nodes[1].reads = {0};
  const SchedulingProblem problem(
      nodes, {{.bytes = 10}, {.bytes = 4, .definer = 0}}, 100);
  EXPECT_EQ(PeakOfOrder(problem, {0, 1}), 114);
  EXPECT_EQ(PeakOfOrder(problem, {1, 0}), 110);
}

}  // namespace
}  // namespace ferry
