// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_IN_PLACE_OPERANDS_H_
#define FERRY_MEMORY_IN_PLACE_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// A node of an instruction's result that is written into the bytes of a node
// of one of its operands.
struct InPlacePair {
  int32_t result_ordinal = 0;
  int32_t operand_number = 0;
  int32_t operand_ordinal = 0;

  friend bool operator==(const InPlacePair&, const InPlacePair&) = default;
};

// Which results an operation can only write in place:
//
//   dynamic-update-slice, set-dimension-size   {} in operand 0
//   scatter                                    result i in operand i
//   all-reduce-start                           result i in operand i
//   ragged-all-to-all                          {} in operand 1
//   collective-permute(-start) of 4 operands   {} ({1}) in operand 1
//   fusion, custom-call, async-start           what its
//                                              output_to_operand_aliasing says
//   fusion                                     what the instruction in which a
//                                              result ends does, if it does so
//                                              to a parameter of the body
//
// In a fusion, tuples, elements, one bitcast and one nested fusion may stand
// between the parameter and the operation.
// Tested by in_place_operands_test.cc.
class InPlaceOperands {
 public:
  // Linear in nodes, but for chains of tuples within fusions.
  static InPlaceOperands Find(const HloModule& module);

  // In the order of result ordinals.
  absl::Span<const InPlacePair> PairsOf(
      const HloInstruction& instruction) const {
    return absl::MakeConstSpan(pairs_).subspan(starts_[instruction.id()],
                                               counts_[instruction.id()]);
  }

 private:
  InPlaceOperands() = default;
  void AddFusionPairs(const HloInstruction& fusion,
                      std::vector<InPlacePair>& pairs) const;

  std::vector<InPlacePair> pairs_;
  std::vector<uint32_t> starts_;  // by InstructionId
  std::vector<uint32_t> counts_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_IN_PLACE_OPERANDS_H_
