// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_CAN_SHARE_BUFFER_H_
#define FERRY_MEMORY_CAN_SHARE_BUFFER_H_

#include <cstdint>
#include <vector>

#include "ferry/hlo/hlo_module.h"
#include "ferry/memory/hlo_value.h"

namespace ferry {

// Whether an instruction may write a result over an operand that nobody reads
// any more, as it does where element i of the result needs only element i of
// the operand. Both have the same shape and layout, and then:
//
//   elementwise operations   yes, but a copy never shares with what it copies
//   loop, input, output      if all that the parameter goes through in the
//   fusions                  body is elementwise (or a tuple); for results of
//                            their own it may also be summed up, or written
//                            into a larger array
//   sort                     operand i with result i, if only the sort reads it
//   all-reduce               operand i with result i
//   triangular-solve         operand 1
//
// What must be in place (InPlaceOperands) is not asked here.
// Tested by can_share_buffer_test.cc.
class BufferSharing {
 public:
  explicit BufferSharing(const HloModule& module);

  // Whether the array at `result_ordinal`, which has the shape and layout of
  // what `use`, one use by the same instruction, reads, may be written over it.
  // An instruction that reads a value in several places must allow it in each.
  // Constant time.
  bool CanShare(const HloUse& use, int32_t result_ordinal) const;
  // Whether some result may.
  bool CanWriteOver(const HloUse& use) const;

 private:
  void Analyze(const HloComputation& body);
  bool FusionCanWriteOver(const HloInstruction& fusion, int64_t operand) const;

  // By ComputationId, of bodies: whether all that is done there is elementwise.
  std::vector<bool> is_elementwise_body_;
  // By InstructionId, in bodies: whether all uses, and their uses, are
  // elementwise, tuples, or take elements in order for another result.
  std::vector<bool> is_used_in_order_;
};

// Whether element i of the result needs only element i of this operand.
bool IsElementwiseOnOperand(const HloInstruction& instruction, int64_t operand);

}  // namespace ferry

#endif  // FERRY_MEMORY_CAN_SHARE_BUFFER_H_
