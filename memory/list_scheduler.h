// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_LIST_SCHEDULER_H_
#define FERRY_MEMORY_LIST_SCHEDULER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// XLA's list scheduler: of the ready nodes always the one with the largest key,
// (bytes it frees - bytes it defines, users); among equals the one that became
// ready last. Urgent nodes come before, and late ones behind, all others.
//
// Bytes freed are those of buffers that nobody else waits for; what was there
// at the start counts nothing. Unlike XLA's, keys are never stale: a ready
// node's key changes when another reader of what it reads has run.
//
// O(n log n). Tested by list_scheduler_test.cc.
std::vector<int32_t> ListSchedule(const SchedulingProblem& problem);

// The same from the end backwards: of the nodes whose successors are all placed
// the one that, read backwards, lets most bytes go: what it defines less what
// comes alive because it is the last reader. Where values are made early and
// used late, as by a backward pass, this sees what the other does not.
std::vector<int32_t> ReverseListSchedule(const SchedulingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_LIST_SCHEDULER_H_
