// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_GREEDY_PACKING_H_
#define FERRY_MEMORY_GREEDY_PACKING_H_

#include "absl/status/statusor.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// The packer of XLA's heap simulator: places buffers one after another, the
// large ones first (or the long-lived ones, whichever ends up lower; the large
// ones on a tie), each into the smallest gap that holds it while it is live,
// the lowest one of these. Fixed buffers come before all others.
//
// The lower bound is the most that is live at once. Infeasible only if that
// proves it; unknown if the result does not fit the capacity.
// O(n log n) and what overlaps. Tested by greedy_packing_test.cc.
absl::StatusOr<Packing> PackGreedily(const PackingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_GREEDY_PACKING_H_
