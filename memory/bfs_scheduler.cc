// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/bfs_scheduler.h"

namespace ferry {

std::vector<int32_t> BfsSchedule(const SchedulingProblem& problem) {
  std::vector<int32_t> order;
  std::vector<int32_t> waiting_for(problem.size());
  for (int32_t i = 0; i < problem.size(); ++i) {
    waiting_for[i] = problem.predecessors(i).size();
    if (waiting_for[i] == 0) order.push_back(i);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (int32_t successor : problem.successors(order[next])) {
      if (--waiting_for[successor] == 0) order.push_back(successor);
    }
  }
  return order;
}

}  // namespace ferry
