// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SCHEDULE_IMPROVER_H_
#define FERRY_MEMORY_SCHEDULE_IMPROVER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

struct ScheduleImproverOptions {
  // Node visits, in all: what bounds the time, the same on every machine.
  int64_t budget = 30'000'000;
  // The nodes around the peak that are put into their best order, all of them
  // at once.
  int32_t window_nodes = 24;
  // Sets that one such search may open.
  int64_t window_budget = 4'000;
  // How far a node may move at once.
  int32_t most_distance = 20'000;
};

// Lowers the peak of a legal order, one move after the other, each of which
// makes the first node with the peak, and all nodes around it that the move
// touches, run with less:
//
//   - a value that is only waiting there is made later: its definer and what
//     depends on it go behind the peak, as late as their own users let them;
//   - it is used up earlier: its readers and what they need go in front;
//   - the node with the peak itself goes elsewhere;
//   - the nodes around it are put into their best order (ScheduleExactly).
//
// Ends when none helps, when `enough_bytes` are reached, or with the budget.
// Never worse than `order`. Tested by schedule_improver_test.cc.
std::vector<int32_t> ImproveSchedule(
    const SchedulingProblem& problem, std::vector<int32_t> order,
    int64_t enough_bytes, const ScheduleImproverOptions& options = {});

}  // namespace ferry

#endif  // FERRY_MEMORY_SCHEDULE_IMPROVER_H_
