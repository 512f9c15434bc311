// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_LEAF_CONVERSION_H_
#define FERRY_PASSES_LEAF_CONVERSION_H_

#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferry {

// Gives a leaf of a value another form: an instruction with exactly the shape
// `target`, in front of `before` (null: at the end).
using LeafConverter = llvm::function_ref<HloInstruction&(
    HloInstruction& leaf, const Shape& target, HloInstruction* before)>;

// `value` with each leaf in the shape that `target`, a shape with the same
// tree, has there: itself if nothing differs, a converted array, or a new tuple
// in front of `before`. Elements are taken from the tuples that they were put
// into where there are such. Takes no stack for the depth of tuples.
// Tested by tests/passes/place_host_values.hlo.
HloInstruction& ConvertLeaves(HloModule& module, HloInstruction& value,
                              const Shape& target, HloInstruction* before,
                              LeafConverter convert);

// The same for operand `operand` of `user`.
bool ConvertOperand(HloModule& module, HloInstruction& user, int64_t operand,
                    const Shape& target, LeafConverter convert);
// And for the root of `computation`.
bool ConvertRoot(HloModule& module, HloComputation& computation,
                 const Shape& target, LeafConverter convert);

// A `copy` of `value` with the shape `target`.
HloInstruction& AddCopy(HloModule& module, HloInstruction& value,
                        const Shape& target, HloInstruction* before);

}  // namespace ferry

#endif  // FERRY_PASSES_LEAF_CONVERSION_H_
