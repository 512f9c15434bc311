// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_EXACT_SCHEDULER_H_
#define FERRY_MEMORY_EXACT_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// The least peak that any order has, and an order with it.
//
// Which bytes are live depends only on the set of nodes that have run, so the
// question is a path through sets, from none to all, whose largest step is
// least: a best-first search, in which a set is opened at most once. Two facts
// keep it small. A ready node that frees at least what it defines, and runs
// within the peak that is reached anyhow, can run at once: whatever order is
// best stays as good with the node moved to the front. And no peak is below
// LeastPeakBytes(), so that peaks up to there cost nothing.
//
// For at most kMostExactNodes nodes. Tested by exact_scheduler_test.cc, against
// all orders.
inline constexpr int32_t kMostExactNodes = 64;

struct ExactSchedule {
  std::vector<int32_t> order;  // empty if the budget ran out
  // The peak of `order`, or what was reached: no order has less.
  int64_t lower_bound_bytes = 0;
  // Sets opened.
  int64_t opened = 0;
};

// Opens at most `budget` sets. Gives up, with the bound that holds then, as
// soon as no order has a peak below `less_than_bytes`.
ExactSchedule ScheduleExactly(const SchedulingProblem& problem, int64_t budget,
                              int64_t less_than_bytes = INT64_MAX);

}  // namespace ferry

#endif  // FERRY_MEMORY_EXACT_SCHEDULER_H_
