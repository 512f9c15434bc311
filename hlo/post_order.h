// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_POST_ORDER_H_
#define FERRY_HLO_POST_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// The orders in which XLA prints a module, and in which its passes walk one:
// depth first, what is needed in front of what needs it.
//
// Both are linear and keep their stacks on the heap: a chain of a million
// instructions, or calls, is no deeper than a short one.
// Tested by post_order_test.cc.

// Callees before callers. From each computation that nobody calls, in stored
// order, what its instructions call:
//
//   entry { x: while(body, condition)     body, condition, reducer, entry
//           y: reduce(reducer) }
//
// XLA marks a computation when it is put on the stack, not when it is left, so
// of two callees that call each other's the second can come too late: its
// caller then stands in front of it, as in XLA's own print.
std::vector<HloComputation*> MakeComputationPostOrder(const HloModule& module);

// For each instruction without users, in stored order: what it waits for
// (control predecessors, the last one first), then its operands from the left.
// Keeps its marks from one computation to the next, so that asking for all
// computations of a module costs as much as the module is long.
class InstructionPostOrder {
 public:
  explicit InstructionPostOrder(const HloModule& module) : module_(module) {}

  // Valid until the next call. Each computation may be asked for once.
  absl::Span<const HloInstruction* const> Of(const HloComputation& computation);

 private:
  enum class State : uint8_t { kNew, kVisiting, kVisited };

  void Visit(const HloInstruction& from);

  const HloModule& module_;
  std::vector<State> state_;  // by InstructionId
  std::vector<const HloInstruction*> stack_;
  std::vector<const HloInstruction*> order_;
};

}  // namespace ferry

#endif  // FERRY_HLO_POST_ORDER_H_
