// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/dfs_scheduler.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

// 2 needs the leaf 0, and 1.
std::vector<SchedulingNode> Fork() {
  std::vector<SchedulingNode> nodes(3);
  nodes[2].predecessors = {0, 1};
  return nodes;
}

TEST(DfsSchedulerTest, PostOrderTakesOperandsFromTheLeft) {
  std::vector<SchedulingNode> nodes = Fork();
  nodes[2].predecessors = {1, 0};
  EXPECT_THAT(PostOrderSchedule(SchedulingProblem(nodes, {}), 2),
              ElementsAre(1, 0, 2));
}

TEST(DfsSchedulerTest, MoreUsersComeFirst) {
  std::vector<SchedulingNode> nodes = Fork();
  nodes[1].users = 3;
  EXPECT_THAT(DfsSchedule(SchedulingProblem(nodes, {}), 2, {0, 1, 2}),
              ElementsAre(1, 0, 2));
}

TEST(DfsSchedulerTest, ThenMoreBytesAndThenTheName) {
  const SchedulingProblem bytes(Fork(), {{.bytes = 8, .definer = 1}});
  EXPECT_THAT(DfsSchedule(bytes, 2, {0, 1, 2}), ElementsAre(1, 0, 2));
  const SchedulingProblem names(Fork(), {});
  EXPECT_THAT(DfsSchedule(names, 2, {1, 0, 2}), ElementsAre(1, 0, 2));
  EXPECT_THAT(DfsSchedule(names, 2, {0, 1, 2}), ElementsAre(0, 1, 2));
}

TEST(DfsSchedulerTest, TheRootComesLast) {
  EXPECT_THAT(PostOrderSchedule(
                  SchedulingProblem(std::vector<SchedulingNode>(3), {}), 0),
              ElementsAre(1, 2, 0));
}

TEST(DfsSchedulerTest, ALongChainTakesNoStack) {
  constexpr int32_t kSize = 200'000;
  std::vector<SchedulingNode> nodes(kSize);
  for (int32_t i = 1; i < kSize; ++i) nodes[i].predecessors = {i - 1};
  const SchedulingProblem problem(nodes, {});
  std::vector<int32_t> rank(kSize, 0);
  EXPECT_TRUE(problem.IsLegal(DfsSchedule(problem, kSize - 1, rank)));
}

}  // namespace
}  // namespace ferry
