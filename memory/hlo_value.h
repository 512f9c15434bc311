// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HLO_VALUE_H_
#define FERRY_MEMORY_HLO_VALUE_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_position.h"

namespace ferry {

// Counted from 0 without gaps, in the order of the computations and their
// instructions.
using ValueId = uint32_t;

// Where a value is read: this node of that operand.
struct HloUse {
  const HloInstruction* instruction = nullptr;
  int32_t operand_number = 0;
  int32_t operand_ordinal = 0;

  friend bool operator==(const HloUse&, const HloUse&) = default;
};

// One array, or the table of one tuple, that some instruction makes:
//
//   t = (f32[8], f32[8]) fusion(x)   makes t{}, the table, t{0} and t{1}
//   g = f32[8] get-tuple-element(t)  makes nothing: t{0} has the positions
//                                    t{0} and g
//
// A phi is what arrives where ways meet, as in the parameter of a loop's body:
// one of several values, depending on the way.
struct HloValue {
  ValueId id = 0;
  bool is_phi = false;
  // The position that makes it, which is positions()[0].
  HloPosition defining_position;

  const HloInstruction& instruction() const {
    return *defining_position.instruction;
  }
  const Shape& shape() const { return defining_position.shape(); }
  // "fusion.1{0}"; the index is that of a tuple only. As XLA names values.
  std::string Name() const;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_HLO_VALUE_H_
