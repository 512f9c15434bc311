// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/scheduling_problem.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// a -> b -> d, a -> c -> d; b names a twice.
SchedulingProblem Diamond() {
  std::vector<SchedulingNode> nodes(4);
  nodes[1].predecessors = {0, 0};
  nodes[2].predecessors = {0};
  nodes[3].predecessors = {2, 1};
  nodes[1].reads = nodes[2].reads = {0};
  return SchedulingProblem(nodes, {{.bytes = 8, .definer = 0}});
}

TEST(SchedulingProblemTest, DerivesTheOtherSideOfEachList) {
  const SchedulingProblem problem = Diamond();
  EXPECT_THAT(problem.successors(0), ElementsAre(1, 2));
  EXPECT_THAT(problem.successors(3), IsEmpty());
  EXPECT_THAT(problem.predecessors(1), ElementsAre(0));
  EXPECT_THAT(problem.predecessors(3), ElementsAre(1, 2));
  EXPECT_THAT(problem.defines(0), ElementsAre(0));
  EXPECT_THAT(problem.readers(0), ElementsAre(1, 2));
}

TEST(SchedulingProblemTest, AnOrderIsLegalIfPredecessorsComeFirst) {
  const SchedulingProblem problem = Diamond();
  EXPECT_TRUE(problem.IsLegal(std::vector<int32_t>{0, 2, 1, 3}));
  EXPECT_FALSE(problem.IsLegal(std::vector<int32_t>{0, 3, 1, 2}));
  EXPECT_FALSE(problem.IsLegal(std::vector<int32_t>{0, 1, 3}));
  EXPECT_FALSE(problem.IsLegal(std::vector<int32_t>{0, 1, 1, 2}));
  EXPECT_FALSE(problem.IsLegal(std::vector<int32_t>{0, 1, 2, 4}));
}

TEST(SchedulingProblemTest, SumsOfHugeBuffersFit) {
  const SchedulingProblem problem(
      std::vector<SchedulingNode>(1),
      {{.bytes = INT64_MAX, .definer = 0}, {.bytes = INT64_MAX, .definer = 0}},
      INT64_MAX);
  EXPECT_EQ(problem.buffers()[0].bytes, int64_t{1} << 42);
  EXPECT_GT(problem.buffers()[0].bytes + problem.buffers()[1].bytes +
                problem.fixed_bytes(),
            0);
}

}  // namespace
}  // namespace ferry
