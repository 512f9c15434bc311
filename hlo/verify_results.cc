// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rules F1101 and F1108: what an instruction says of its result, against what
// its operands and callees make. Callees against operands is F1102.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kShapeNotAsInferred;

bool SameDimensions(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() &&
         std::equal(a.dimensions().begin(), a.dimensions().end(),
                    b.dimensions().begin(), b.dimensions().end(),
                    [](int64_t x, int64_t y) {
                      return x == y || x == kUnboundedDimension ||
                             y == kUnboundedDimension;
                    });
}

bool IsScalar(const Shape& shape) {
  return shape.IsArray() && shape.dimensions().empty();
}

void VerifyTuple(const HloInstruction& tuple, HloVerifierFindings& findings) {
  const auto elements = tuple.shape().tuple_shapes();
  const auto operands = tuple.operands();
  if (tuple.shape().IsTuple() &&
      std::equal(
          elements.begin(), elements.end(), operands.begin(), operands.end(),
          [](const Shape* element, const HloInstruction* operand) {
            return element->IsCompatibleIgnoringPrecision(operand->shape());
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
    findings.Add(kCode, element,
                 absl::StrCat("Cannot infer shape: attempting to index into "
                              "non-tuple: ",
                              ShapeForMessage(tuple)));
    return;
  }
  const int64_t count = tuple.tuple_shapes().size();
  const int64_t index = element.tuple_index();
  if (index < 0 || index >= count) {
    findings.Add(kCode, element,
                 absl::StrCat("Cannot infer shape: attempt to index out of "
                              "tuple bounds: ",
                              index, " >= ", count, " in shape ",
                              ShapeForMessage(tuple)));
    return;
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
  if (!actual.IsCompatibleIgnoringPrecision(expected) ||
      actual.IsCompatible(expected)) {
    return;
  }
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

// `operand` must have the sizes of the result; some may be one scalar for all.
void ExpectSameSizes(const HloInstruction& instruction, int64_t number,
                     bool may_be_scalar, HloVerifierFindings& findings) {
  const Shape& shape = instruction.operand(number).shape();
  if (SameDimensions(shape, instruction.shape())) return;
  if (may_be_scalar && IsScalar(shape)) return;
  findings.Add(kCode, instruction,
               absl::StrCat("operand ", number, " of ",
                            HloOpcodeName(instruction.opcode()), " is ",
                            ShapeForMessage(shape), ", but the result is ",
                            ShapeForMessage(instruction.shape())));
}

void ExpectResultType(const HloInstruction& instruction, PrimitiveType type,
                      HloVerifierFindings& findings) {
  if (instruction.shape().element_type() == type) return;
  findings.Add(kCode, instruction,
               absl::StrCat(HloOpcodeName(instruction.opcode()),
                            " gives elements of type ", PrimitiveTypeName(type),
                            ", but the result is ",
                            ShapeForMessage(instruction.shape())));
}

// One element of each operand makes one element of the result: sizes are
// equal, and so are types unless it is the opcode's purpose to change them.
void VerifyElementwise(const HloInstruction& instruction,
                       HloVerifierFindings& findings) {
  const int64_t count = instruction.operands().size();
  switch (instruction.opcode()) {
    case HloOpcode::kBitcastConvert:
      return;  // may split or join the elements of the last dimension
    case HloOpcode::kCompare:
    case HloOpcode::kIsFinite:
      ExpectResultType(instruction, PrimitiveType::kPred, findings);
      break;
    case HloOpcode::kAbs:
    case HloOpcode::kComplex:
    case HloOpcode::kConvert:
    case HloOpcode::kImag:
    case HloOpcode::kReal:
    case HloOpcode::kStochasticConvert:
      break;
    case HloOpcode::kSelect:
      ExpectSameSizes(instruction, 0, /*may_be_scalar=*/true, findings);
      for (int64_t i = 1; i < count; ++i) {
        ExpectShape(instruction, kCode, instruction.operand(i).shape(),
                    findings);
      }
      return;
    case HloOpcode::kClamp:
      ExpectSameSizes(instruction, 0, /*may_be_scalar=*/true, findings);
      ExpectShape(instruction, kCode, instruction.operand(1).shape(), findings);
      ExpectSameSizes(instruction, 2, /*may_be_scalar=*/true, findings);
      return;
    default:
      for (int64_t i = 0; i < count; ++i) {
        ExpectShape(instruction, kCode, instruction.operand(i).shape(),
                    findings);
      }
      return;
  }
  for (int64_t i = 0; i < count; ++i) {
    ExpectSameSizes(instruction, i, /*may_be_scalar=*/false, findings);
  }
}

bool IsAnnotation(const HloInstruction& instruction) {
  for (absl::string_view target :
       {"annotate_device_placement", "MoveToHost", "MoveToDevice",
        "PinToDevice", "PinToDeviceSram"}) {
    if (instruction.IsCustomCall(target)) return true;
  }
  return false;
}

// Rule F1108. How many operands it has is rule F4022.
void VerifyAnnotation(const HloInstruction& annotation,
                      HloVerifierFindings& findings) {
  if (!IsAnnotation(annotation) || annotation.operands().size() != 1) return;
  const Shape& operand = annotation.operand(0).shape();
  if (annotation.shape().IsCompatible(operand)) return;
  findings.Add(DiagnosticCode::kAnnotationShapeMismatch, PlaceOf(annotation),
               {std::string(annotation.name()), ShapeForMessage(operand),
                ShapeForMessage(annotation.shape())});
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
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kReverse:
    case HloOpcode::kWhile:
      return ExpectShape(instruction, kCode, instruction.operand(0).shape(),
                         findings);
    case HloOpcode::kCustomCall:
      return VerifyAnnotation(instruction, findings);
    default:
      if (HasTrait(instruction.opcode(), kElementwise)) {
        VerifyElementwise(instruction, findings);
      }
  }
}

}  // namespace ferry
