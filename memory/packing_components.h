// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACKING_COMPONENTS_H_
#define FERRY_MEMORY_PACKING_COMPONENTS_H_

#include <cstdint>
#include <vector>

#include "ferry/memory/packing_problem.h"

namespace ferry {

// Buffers that have nothing to do with each other can be packed one group after
// another: the components of "are live at the same time". Buffers without
// bytes are in none. Ordered by first buffer, each ascending. O(n log n).
// Tested by packing_components_test.cc.
struct PackingComponents {
  std::vector<std::vector<int32_t>> components;
  // Pairs of pieces that are live at the same time, over all components.
  double overlapping_pairs = 0;
};
PackingComponents FindPackingComponents(const PackingProblem& problem);

}  // namespace ferry

#endif  // FERRY_MEMORY_PACKING_COMPONENTS_H_
