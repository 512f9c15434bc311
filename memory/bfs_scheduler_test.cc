// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/bfs_scheduler.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;

// Two chains, 0 -> 1 -> 2 and 3 -> 4 -> 5.
TEST(BfsSchedulerTest, IndependentChainsGoWaveByWave) {
  std::vector<SchedulingNode> nodes(6);
  for (int i : {1, 2, 4, 5}) nodes[i].predecessors = {i - 1};
  EXPECT_THAT(BfsSchedule(SchedulingProblem(nodes, {})),
              ElementsAre(0, 3, 1, 4, 2, 5));
}

}  // namespace
}  // namespace ferry
