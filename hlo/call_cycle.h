// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CALL_CYCLE_H_
#define FERRY_HLO_CALL_CYCLE_H_

#include <vector>

#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Computations that call themselves: each calls the next one, by any attribute
// that names computations, and the last one the first. Empty if there are none.
//
// Text cannot make a computation call itself, because definitions stand above
// their uses; an embedder or a pass can, and whoever walks into called
// computations relies on it that nobody did.
//
// Linear in instructions; the depth of calls costs no stack.
// Tested by call_cycle_test.cc.
std::vector<const HloComputation*> FindCallCycle(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_CALL_CYCLE_H_
