// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_UPDATE_COVERAGE_H_
#define FERRY_PASSES_UPDATE_COVERAGE_H_

#include "ferry/passes/offload_graph.h"

namespace ferry {

// Whether what stood in the buffer before the update cannot be seen by anybody:
// either the update, over all iterations of the loop that it is in, writes
// every element, or whatever reads the buffer afterwards reads exactly what the
// update wrote.
//
// `update` is a dynamic-update-slice. False means "not shown", not "visible".
// The index may be any integer arithmetic on the loop's counter that does not
// overflow; cost is bounded by 4096 iterations of 64 operations.
//
// Tested by update_coverage_test.cc.
bool HidesInitialContents(const OffloadGraph& graph, const OffloadNode& update);

}  // namespace ferry

#endif  // FERRY_PASSES_UPDATE_COVERAGE_H_
