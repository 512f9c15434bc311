// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_POSITION_H_
#define FERRY_HLO_HLO_POSITION_H_

#include <cstdint>
#include <string>

#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

class HloInstruction;

// One node of an instruction's result: what placement, aliasing and tracking
// speak about. The node is named by its pre-order number in the shape.
// Tested by passes/host_offload_analysis_test.cc.
struct HloPosition {
  const HloInstruction* instruction = nullptr;
  int32_t ordinal = 0;

  ShapeIndex index() const;
  const Shape& shape() const;
  // "{Instr: tuple.64, ShapeIndex: {0}}", as XLA's log prints it.
  std::string ToString() const;

  friend bool operator==(const HloPosition&, const HloPosition&) = default;
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_POSITION_H_
