// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_INFERENCE_H_
#define FERRY_HLO_SHAPE_INFERENCE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// What the result shape of an instruction follows from. References must
// outlive the call.
struct ShapeInferenceInput {
  HloContext& context;
  HloOpcode opcode = HloOpcode::kUnknown;
  absl::Span<const Shape* const> operands;
  // In the order of HloInstruction::called_computations(); each has a root.
  absl::Span<const HloComputation* const> called_computations;
  absl::Span<const HloAttribute> attributes;
  int64_t number = -1;  // tuple_index() of get-tuple-element
  // What the text says of the result, if it does: the element type of a
  // conversion is nowhere else.
  const Shape* declared = nullptr;

  // Empty if there is no such attribute.
  absl::string_view attribute(HloAttributeKind kind) const;
};

// The shape that operands, callees and attributes give a result: what XLA's
// reader gives an instruction whose text leaves the shape out, for opcodes with
// the trait kInferable, and what its verifier compares the shape with, for
// these and conversions, slices and scaled-dot (which need `declared`).
//
// Results have default layouts, but for elementwise opcodes, tuple,
// get-tuple-element, copy and the like, which keep their operands', and
// transpose, which permutes them. An unbounded dimension fits any size.
//
// InvalidArgument with XLA's words if the operands do not fit; Unimplemented
// for opcodes without a rule; ResourceExhausted if the shape would have more
// than ShapeParser::kMaxNodes nodes. Tested by shape_inference_test.cc.
absl::StatusOr<const Shape*> InferShape(const ShapeInferenceInput& input);

// Whether InferShape has a rule for the opcode.
bool HasInferenceRule(HloOpcode opcode);

}  // namespace ferry

#endif  // FERRY_HLO_SHAPE_INFERENCE_H_
