// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/exact_scheduler.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "ferry/memory/list_scheduler.h"
#include "ferry/memory/schedule_improver.h"
#include "ferry/memory/schedule_lower_bound.h"
#include "ferry/memory/schedule_tracker.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// `nodes` nodes that read up to two of those before them and define one buffer;
// some take over, need more, read what was there at the start, or live out.
SchedulingProblem RandomProblem(std::mt19937& random, int32_t nodes) {
  const auto pick = [&](int32_t limit) {
    return static_cast<int32_t>(random() % limit);
  };
  std::vector<SchedulingNode> all(nodes);
  std::vector<SchedulingBuffer> buffers;
  for (int32_t i = 0; i < nodes; ++i) {
    buffers.push_back(
        {.bytes = 1 + pick(20), .definer = i, .lives_out = pick(5) == 0});
    for (int32_t k = pick(3); k > 0 && i > 0; --k) {
      const int32_t read = pick(i);
      all[i].predecessors.push_back(read);
      all[i].reads.push_back(read);
      if (pick(2) == 0) {
        buffers[i].bytes = buffers[read].bytes;
        all[i].takeovers.push_back({i, read});
      }
    }
    std::vector<int32_t>& reads = all[i].reads;
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    if (pick(4) == 0) all[i].beside_bytes = pick(20);
    if (pick(4) == 0) all[i].instead_bytes = pick(40);
  }
  buffers.push_back({.bytes = 7, .lives_out = pick(2) == 0});
  all[pick(nodes)].reads.push_back(nodes);
  return SchedulingProblem(std::move(all), std::move(buffers), pick(10));
}

// Tries every order.
class BruteForce {
 public:
  explicit BruteForce(const SchedulingProblem& problem) : problem_(problem) {}

  int64_t Run() {
    Extend();
    return best_;
  }

 private:
  // The depth is that of the nodes, which are few.
  void Extend() {
    if (static_cast<int32_t>(order_.size()) == problem_.size()) {
      best_ = std::min(best_, PeakOfOrder(problem_, order_));
      return;
    }
    for (int32_t node = 0; node < problem_.size(); ++node) {
      const auto has_run = [&](int32_t other) {
        return std::find(order_.begin(), order_.end(), other) != order_.end();
      };
      const auto before = problem_.predecessors(node);
      if (has_run(node) ||
          !std::all_of(before.begin(), before.end(), has_run)) {
        continue;
      }
      order_.push_back(node);
      Extend();
      order_.pop_back();
    }
  }

  const SchedulingProblem& problem_;
  std::vector<int32_t> order_;
  int64_t best_ = INT64_MAX;
};

TEST(ExactSchedulerTest, FindsWhatTryingAllOrdersFinds) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const SchedulingProblem problem = RandomProblem(random, 1 + i % 8);
    const int64_t best = BruteForce(problem).Run();
    const ExactSchedule exact = ScheduleExactly(problem, 100'000);
    ASSERT_TRUE(problem.IsLegal(exact.order));
    EXPECT_EQ(PeakOfOrder(problem, exact.order), best);
    EXPECT_EQ(exact.lower_bound_bytes, best);
    EXPECT_LE(LeastPeakBytes(problem), best);
  }
}

TEST(ExactSchedulerTest, ImprovedOrdersAreLegalAndNoBetterThanTheBest) {
  std::mt19937 random(2);
  int optimal = 0;
  for (int i = 0; i < 40; ++i) {
    const SchedulingProblem problem = RandomProblem(random, 24);
    const std::vector<int32_t> start = ListSchedule(problem);
    const std::vector<int32_t> improved =
        ImproveSchedule(problem, start, LeastPeakBytes(problem));
    ASSERT_TRUE(problem.IsLegal(improved));
    const int64_t peak = PeakOfOrder(problem, improved);
    EXPECT_LE(peak, PeakOfOrder(problem, start));
    const ExactSchedule exact = ScheduleExactly(problem, 1'000'000);
    ASSERT_FALSE(exact.order.empty());
    EXPECT_GE(peak, exact.lower_bound_bytes);
    optimal += peak == exact.lower_bound_bytes;
  }
  EXPECT_GE(optimal, 36);
}

TEST(ExactSchedulerTest, FortyNodesAreProved) {
  std::mt19937 random(3);
  for (int i = 0; i < 4; ++i) {
    const SchedulingProblem problem = RandomProblem(random, 40);
    const ExactSchedule exact = ScheduleExactly(problem, 300'000);
    EXPECT_FALSE(exact.order.empty()) << i;
  }
}

TEST(ExactSchedulerTest, WithoutBudgetThereIsABoundAndNoOrder) {
  std::mt19937 random(4);
  const SchedulingProblem problem = RandomProblem(random, 40);
  const int64_t best = ScheduleExactly(problem, 300'000).lower_bound_bytes;
  const ExactSchedule none = ScheduleExactly(problem, 0);
  EXPECT_LE(none.lower_bound_bytes, best);
  EXPECT_GE(none.lower_bound_bytes, LeastPeakBytes(problem));
}

TEST(ExactSchedulerTest, GivesUpAtAPeakThatIsKnown) {
  std::mt19937 random(5);
  const SchedulingProblem problem = RandomProblem(random, 16);
  const int64_t best = ScheduleExactly(problem, 100'000).lower_bound_bytes;
  const ExactSchedule same = ScheduleExactly(problem, 100'000, best);
  EXPECT_TRUE(same.order.empty());
  EXPECT_EQ(same.lower_bound_bytes, best);
}

TEST(ExactSchedulerTest, NothingToOrderIsInOrder) {
  const SchedulingProblem problem({}, {{.bytes = 4, .lives_out = true}}, 3);
  const ExactSchedule exact = ScheduleExactly(problem, 10);
  EXPECT_TRUE(exact.order.empty());
  EXPECT_EQ(exact.lower_bound_bytes, 7);
}

}  // namespace
}  // namespace ferry
