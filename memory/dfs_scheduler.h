// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_DFS_SCHEDULER_H_
#define FERRY_MEMORY_DFS_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// XLA's depth-first scheduler: from each node without successors, what it needs
// first, and of the needed nodes the one on which most depends: by (users - 1)
// summed over all that it needs itself, then by bytes defined, summed in the
// same way, then by `rank`. Sums count a node once for every way to it and stop
// at the totals of the computation. `root` comes last, the other ends in order.
//
// `rank` has a number for each node: that of its name in order.
// O(n log n), without recursion. Tested by dfs_scheduler_test.cc.
std::vector<int32_t> DfsSchedule(const SchedulingProblem& problem, int32_t root,
                                 const std::vector<int32_t>& rank);

// Depth first, predecessors in the order in which nodes name them.
std::vector<int32_t> PostOrderSchedule(const SchedulingProblem& problem,
                                       int32_t root);

}  // namespace ferry

#endif  // FERRY_MEMORY_DFS_SCHEDULER_H_
