// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BFS_SCHEDULER_H_
#define FERRY_MEMORY_BFS_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// Wave by wave: all nodes that wait for nothing, in order, then those that wait
// only for these, and so on. It favours running things at the same time, and is
// no way to save memory. O(n). Tested by bfs_scheduler_test.cc.
std::vector<int32_t> BfsSchedule(const SchedulingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_BFS_SCHEDULER_H_
