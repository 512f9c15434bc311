// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1104 within the program: output_to_operand_aliasing of fusions, custom
// calls and async-start names parts that exist, of the same shape; layouts,
// dynamic sizes and the mark of a buffer apart.

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/output_operand_aliasing.h"

namespace ferry {
namespace {

// b(array) as the array.
const Shape& WithoutBuffer(const Shape& shape) {
  return shape.element_type() == PrimitiveType::kBuffer
             ? *shape.tuple_shapes()[0]
             : shape;
}

}  // namespace

void VerifyOutputAliasing(const HloInstruction& instruction,
                          HloVerifierFindings& findings) {
  if (!instruction.HasAttribute(HloAttributeKind::kOutputToOperandAliasing)) {
    return;
  }
  const auto fail = [&](const std::string& message) {
    findings.Add(DiagnosticCode::kAliasMismatch, instruction, message);
  };
  if (instruction.opcode() == HloOpcode::kCall) {
    return fail(absl::StrCat("Call instruction ", instruction.name(),
                             " may not have an output-to-operand aliasing "
                             "set."));
  }
  const int64_t operands = instruction.operands().size();
  for (const OutputOperandAlias& alias : ReadOutputOperandAliasing(
           instruction.attribute(HloAttributeKind::kOutputToOperandAliasing))) {
    if (alias.operand < 0 || alias.operand >= operands) {
      fail(absl::StrCat("Invalid aliasing operand index ", alias.operand,
                        ": there are ", operands, " operands."));
      continue;
    }
    const Shape& operand = instruction.operand(alias.operand).shape();
    const auto input = operand.OrdinalOf(alias.operand_index);
    if (!input.has_value()) {
      fail(absl::StrCat("Invalid aliasing operand shape index ",
                        ShapeIndexToString(alias.operand_index), " of ",
                        ShapeForMessage(operand), "."));
      continue;
    }
    const auto output = instruction.shape().OrdinalOf(alias.output_index);
    if (!output.has_value()) {
      fail(absl::StrCat("Invalid aliasing output shape index ",
                        ShapeIndexToString(alias.output_index), " of ",
                        ShapeForMessage(instruction.shape()), "."));
      continue;
    }
    const Shape& from = WithoutBuffer(operand.NodeAt(*input));
    const Shape& to = WithoutBuffer(instruction.shape().NodeAt(*output));
    if (from.IsCompatible(to)) continue;
    fail(absl::StrCat("Different aliasing shapes: ", ShapeForMessage(from),
                      " vs ", ShapeForMessage(to)));
  }
}

}  // namespace ferry
