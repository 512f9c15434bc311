// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rules F1101 and F1109: what an instruction says of its result, against what
// its operands, callees and attributes make (shape_inference.h). F1109 if they
// make nothing, F1101 if they make something else. Callees against operands is
// F1102.
//
// Where layouts count, the opcodes that only pass values on must have the very
// layout; of all others any layout is good.

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/shape_inference.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kShapeNotAsInferred;

void VerifyTuple(const HloInstruction& tuple, HloVerifierFindings& findings) {
  const auto elements = tuple.shape().tuple_shapes();
  const auto operands = tuple.operands();
  if (tuple.shape().IsTuple() &&
      std::equal(elements.begin(), elements.end(), operands.begin(),
                 operands.end(),
                 [&](const Shape* element, const HloInstruction* operand) {
                   return Fits(tuple, *element, operand->shape());
                 })) {
    return;
  }
  std::vector<const Shape*> expected;
  for (const HloInstruction* operand : operands) {
    expected.push_back(&operand->shape());
  }
  ExpectShape(tuple, kCode,
              tuple.parent().module().context().GetTupleShape(expected),
              findings);
}

void VerifyGetTupleElement(const HloInstruction& element,
                           HloVerifierFindings& findings) {
  const Shape& tuple = element.operand(0).shape();
  if (!tuple.IsTuple()) {
    return findings.Add(
        DiagnosticCode::kOperandsDoNotFit, element,
        absl::StrCat("Cannot infer shape: attempting to index into "
                     "non-tuple: ",
                     ShapeForMessage(tuple)));
  }
  const int64_t count = tuple.tuple_shapes().size();
  const int64_t index = element.tuple_index();
  if (index < 0 || index >= count) {
    return findings.Add(
        DiagnosticCode::kOperandsDoNotFit, element,
        absl::StrCat("Cannot infer shape: attempt to index out of "
                     "tuple bounds: ",
                     index, " >= ", count, " in shape ",
                     ShapeForMessage(tuple)));
  }
  ExpectShape(element, kCode, *tuple.tuple_shapes()[index], findings);
}

// (destination, source, u32[]), where both arrays are the operand but for
// memory space and tiles.
void VerifyCopyStart(const HloInstruction& start,
                     HloVerifierFindings& findings) {
  HloContext& context = start.parent().module().context();
  const Shape& copied = start.operand(0).shape();
  const Shape& sync_flag =
      context.GetArrayShape(PrimitiveType::kU32, {}, nullptr);
  const Shape& expected = context.GetTupleShape({&copied, &copied, &sync_flag});
  const Shape& actual = start.shape();
  ExpectShape(start, kCode, expected, findings);
  if (!Fits(start, actual, expected) || actual.IsCompatible(expected)) return;
  // The memory engines move bytes and convert nothing.
  findings.Add(
      kCode, start,
      absl::StrCat("copy-start changes the element type of ",
                   ShapeForMessage(copied), " to ", ShapeForMessage(actual)));
}

void VerifyCopyDone(const HloInstruction& done, HloVerifierFindings& findings) {
  // What is no copy-start fails rule F1105.
  const Shape& start = done.operand(0).shape();
  if (!start.IsTuple() || start.tuple_shapes().size() != 3) return;
  const Shape& destination = *start.tuple_shapes()[0];
  const Shape& source = *start.tuple_shapes()[1];
  if (!destination.IsCompatible(source)) {
    findings.Add(kCode, done,
                 absl::StrCat("Source and destination buffers in CopyDone "
                              "arguments need to be the same shape found ",
                              ShapeForMessage(destination), " and ",
                              ShapeForMessage(source)));
  }
  ExpectShape(done, kCode, destination, findings);
}

// Products may be summed in a wider type than the operands have.
bool ChoosesElementType(HloOpcode opcode) {
  return opcode == HloOpcode::kDot || opcode == HloOpcode::kRaggedDot ||
         opcode == HloOpcode::kScaledDot || opcode == HloOpcode::kConvolution;
}

// Elements of several operands stand side by side in the result.
bool JoinsOperands(HloOpcode opcode) {
  return opcode == HloOpcode::kConcatenate || opcode == HloOpcode::kPad ||
         opcode == HloOpcode::kDynamicUpdateSlice;
}

void VerifyInferred(const HloInstruction& instruction,
                    HloVerifierFindings& findings) {
  llvm::SmallVector<const Shape*, 8> operands;
  for (const HloInstruction* operand : instruction.operands()) {
    operands.push_back(&operand->shape());
  }
  const absl::StatusOr<const Shape*> inferred =
      InferShape({.context = instruction.parent().module().context(),
                  .opcode = instruction.opcode(),
                  .operands = operands,
                  .called_computations = instruction.called_computations(),
                  .attributes = instruction.attributes(),
                  .number = instruction.tuple_index(),
                  .declared = &instruction.shape()});
  if (!inferred.ok()) {
    return findings.Add(DiagnosticCode::kOperandsDoNotFit, instruction,
                        std::string(inferred.status().message()));
  }
  const bool same_sizes = std::equal((*inferred)->dimensions().begin(),
                                     (*inferred)->dimensions().end(),
                                     instruction.shape().dimensions().begin(),
                                     instruction.shape().dimensions().end());
  if (ChoosesElementType(instruction.opcode()) &&
      instruction.shape().IsArray() && same_sizes) {
    return;
  }
  ExpectShape(instruction, kCode, **inferred, findings);
}

}  // namespace

void VerifyResult(const HloInstruction& instruction,
                  HloVerifierFindings& findings) {
  switch (instruction.opcode()) {
    case HloOpcode::kTuple:
      return VerifyTuple(instruction, findings);
    case HloOpcode::kGetTupleElement:
      return VerifyGetTupleElement(instruction, findings);
    case HloOpcode::kCopyStart:
      return VerifyCopyStart(instruction, findings);
    case HloOpcode::kCopyDone:
      return VerifyCopyDone(instruction, findings);
    case HloOpcode::kOptBarrier:
      return ExpectShape(instruction, kCode, instruction.operand(0).shape(),
                         findings);
    case HloOpcode::kCall:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
      return;  // VerifyCallees says more
    default:
      if (VerifyGenerator(instruction, findings)) return;
      if (!HasInferenceRule(instruction.opcode())) return;
      VerifyInferred(instruction, findings);
      if (HasTrait(instruction.opcode(), kElementwise)) {
        VerifyElementwise(instruction, findings);
      } else if (JoinsOperands(instruction.opcode())) {
        VerifyOnePrecision(instruction, findings);
      }
  }
}

}  // namespace ferry
