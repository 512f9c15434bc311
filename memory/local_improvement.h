// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_LOCAL_IMPROVEMENT_H_
#define FERRY_MEMORY_LOCAL_IMPROVEMENT_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "ferry/memory/greedy_packer.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// An order of placing, and what GreedyPacker makes of it.
struct GreedyPacking {
  std::vector<int32_t> order;
  GreedyFit fit = GreedyFit::kBest;
  std::vector<int64_t> offsets;  // by buffer of the problem
  int64_t height = GreedyPacker::kTooHigh;
};

struct LocalImprovementLimits {
  int64_t target = 0;       // good enough
  int64_t visit_limit = 0;  // pieces and buffers that may be looked at
  std::function<bool()> is_stopped;
};

// Makes `packing` lower by placing in other orders: the buffers that reach
// highest come earlier, each by a random part of its way to the front, and the
// new order is kept if it is not worse. (Squeaky wheel optimization: Joslin and
// Clements, JAIR 10, 1999.) The result depends on the arguments only.
// Returns how many pieces and buffers were looked at.
// Tested by local_improvement_test.cc.
int64_t ImproveByReordering(const PackingProblem& problem, GreedyPacker& packer,
                            const LocalImprovementLimits& limits,
                            GreedyPacking& packing);

}  // namespace ferry

#endif  // FERRY_MEMORY_LOCAL_IMPROVEMENT_H_
