// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SCHEDULE_LOWER_BOUND_H_
#define FERRY_MEMORY_SCHEDULE_LOWER_BOUND_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/scheduling_problem.h"

namespace ferry {

// What is live in every order while some node runs: what it reads, defines and
// needs inside, and each buffer that one of its ancestors defines and one of
// its descendants reads (or that lives out). Takeovers count as made wherever
// an order may make them.
//
// Ancestors are looked at up to 2048 nodes; beyond, a node counts by itself.
// Tested by schedule_lower_bound_test.cc.
int64_t LeastPeakBytes(const SchedulingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_SCHEDULE_LOWER_BOUND_H_
