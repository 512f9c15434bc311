// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_SCALAR_CALLEES_H_
#define FERRY_TESTS_RANDOM_HLO_SCALAR_CALLEES_H_

#include <vector>

#include "ferry/tests/random_hlo/random_hlo_builder.h"

namespace ferry {

// Computations on single elements, for reductions, sorts and the like. Each is
// new: XLA's modules share them as well, but every caller may have its own.

// (a0, a1, ..., b0, b1, ...) -> a0 op b0, or a tuple of such.
HloComputation& AddCombiner(RandomHloBuilder& builder,
                            const std::vector<PrimitiveType>& types);
// (a0, b0, a1, b1, ...) -> pred[].
HloComputation& AddComparator(RandomHloBuilder& builder,
                              const std::vector<PrimitiveType>& types);

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_SCALAR_CALLEES_H_
