// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACKING_BOUNDS_H_
#define FERRY_MEMORY_PACKING_BOUNDS_H_

#include "ferry/memory/byte_count.h"
#include "ferry/memory/live_range.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

// How low no packing can go, and why.
struct PackingBound {
  ByteCount bytes;
  // A moment at which the buffers need as much.
  LogicalTime time = 0;
};

// The most that is live at one moment. Every offset is a multiple of the
// greatest common divisor of the alignments, so each live buffer takes whole
// units of that, but for the one on top. A fixed buffer needs what lies below
// it, too. O(n log n) in pieces.
//
// Takes a valid problem. Tested by packing_bounds_test.cc.
PackingBound LoadBound(const PackingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_PACKING_BOUNDS_H_
