// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_USER_ORDER_H_
#define FERRY_PASSES_USER_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/BitVector.h"

namespace ferry {

// The users of every instruction in the order in which the shipped compiler has
// them when it comes to track placement, which decides what it reaches and
// names first. Its earlier passes rebuild computations in post-order, so users
// stand in post-order, not in the order of the text; and where dead code goes,
// the last user takes the place of the one that is removed:
//
//   users of x    a  b  c  d        b is dead    ->   a  d  c
//
// Linear in uses. Built once for a module, which must not change meanwhile.
//
// Tested by user_order_test.cc.
class UserOrder {
 public:
  explicit UserOrder(const HloModule& module);

  absl::Span<const HloInstruction* const> users(
      const HloInstruction& instruction) const {
    const uint32_t first = first_[instruction.id()];
    return absl::MakeConstSpan(users_).subspan(first, count_[instruction.id()]);
  }

 private:
  void AddUsers(absl::Span<const HloInstruction* const> post_order);
  void RemoveDead(absl::Span<const HloInstruction* const> post_order);
  void Remove(const HloInstruction& user, const HloInstruction& operand);

  // By InstructionId: where its users begin, and how many they are.
  std::vector<uint32_t> first_;
  std::vector<uint32_t> count_;
  std::vector<const HloInstruction*> users_;
};

// The instructions of a computation that `keep` wants, operands and control
// predecessors before users, from each instruction without users in stored
// order. Whatever a kept instruction needs must be kept. `seen` has a bit for
// each InstructionId of the module, and one can serve all its computations.
std::vector<const HloInstruction*> PostOrder(
    const HloComputation& computation,
    absl::FunctionRef<bool(const HloInstruction&)> keep, llvm::BitVector& seen);

// Whether an instruction does something besides making its result. Frameworks
// mark placement annotations so, and compilers drop the mark.
bool HasSideEffect(const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_PASSES_USER_ORDER_H_
