// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_SWEEP_PACKER_H_
#define FERRY_MEMORY_SWEEP_PACKER_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/packing_problem.h"

namespace ferry {

// Places buffers in order of time, as an allocator at run time does: the
// smallest room that is free at the moment and large enough, the lowest of
// those. A buffer with pieces takes its Bounds(); the bytes of fixed buffers
// are taken all the time. Returns an offset for each buffer; empty if one would
// end beyond 2^63 bytes.
//
// O(n log n) however many buffers are live at a time, which no other packer is.
// Tested by sweep_packer_test.cc.
std::vector<int64_t> PackInOrderOfTime(const PackingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_SWEEP_PACKER_H_
