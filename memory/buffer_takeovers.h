// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BUFFER_TAKEOVERS_H_
#define FERRY_MEMORY_BUFFER_TAKEOVERS_H_

#include <cstdint>

#include "ferry/hlo/hlo_instruction.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferry {

// Calls `visit(ordinal, operand, operand_ordinal)` for each node of the result
// of `instruction` that may be put into the bytes of that node of that operand,
// if the operand dies at it, in order of preference. Shapes are equal, layouts
// included, unless the instruction itself declares the pair.
//
//   in-place updates   dynamic-update-slice, scatter, set-dimension-size,
//                      triangular-solve, all-reduce-start, aliasing that the
//                      text declares, fusions that end in such an update
//   elementwise        any operand; so do loop and input fusions with operands
//                      that go through elementwise operations only
//   sort               operand i and result i, if nobody else uses the operand
//
// A copy takes nothing over. Calls, loops and branches are not its business.
// Linear in the body of a fusion. Tested by buffer_takeovers_test.cc.
void ForEachTakeover(const HloInstruction& instruction,
                     llvm::function_ref<void(int32_t ordinal, int64_t operand,
                                             int32_t operand_ordinal)>
                         visit);

}  // namespace ferry

#endif  // FERRY_MEMORY_BUFFER_TAKEOVERS_H_
