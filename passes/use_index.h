// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_USE_INDEX_H_
#define FERRY_PASSES_USE_INDEX_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_module.h"
#include "ferry/passes/user_order.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ferry {

// Finds uses in wide tuples without looking at all of them. The state of a
// training step is a tuple of thousands of elements: asking "who reads element
// k?" and "in which places of this tuple is x?" once for each element must not
// take time quadratic in the width.
//
// Built once for a module, which must not change meanwhile. Narrow instructions
// are not indexed: looking at all of their users is as quick.
//
// Tested by use_index_test.cc.
class UseIndex {
 public:
  explicit UseIndex(const HloModule& module);

  // The users of `instruction` that may see the node `ordinal` of its result,
  // in the compiler's order: all but get-tuple-elements of other elements.
  void ForEachUser(const HloInstruction& instruction, int32_t ordinal,
                   llvm::function_ref<void(const HloInstruction&)> visit) const;

  // The operand numbers under which `user` has `operand`, ascending.
  void ForEachPlace(const HloInstruction& user, const HloInstruction& operand,
                    llvm::function_ref<void(int64_t)> visit) const;

 private:
  struct WideResult {
    // (element, place in order), sorted; and the places of other users.
    std::vector<std::pair<int64_t, uint32_t>> by_element;
    std::vector<uint32_t> others;
  };
  void AddResult(const HloInstruction& instruction);
  void AddOperands(const HloInstruction& instruction);

  UserOrder order_;
  llvm::DenseMap<const HloInstruction*, WideResult> results_;
  // (operand, operand number), sorted.
  llvm::DenseMap<const HloInstruction*,
                 std::vector<std::pair<InstructionId, uint32_t>>>
      operands_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_USE_INDEX_H_
