// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1101: what an instruction says of its result, against what
// its operands and callees make. Callees against operands is F1102.
//
// Opcodes whose result text may leave out are inferred as the reader infers
// them (shape_inference.h). The rest, and what nearly every module is made of,
// tuples and elementwise operations, is checked here without making shapes.

#include <algorithm>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/shape_inference.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kShapeNotAsInferred;

bool IsFloatingPoint(PrimitiveType type) {
  const absl::string_view name = PrimitiveTypeName(type);
  return name.front() == 'f' || name == "bf16";
}

// With mixed precision allowed.
bool SameType(const Shape& a, const Shape& b) {
  return a.element_type() == b.element_type() ||
         (IsFloatingPoint(a.element_type()) &&
          IsFloatingPoint(b.element_type()));
}

bool SameSize(int64_t a, int64_t b) {
  return a == b || a == kUnboundedDimension || b == kUnboundedDimension;
}

bool SameDimensions(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() &&
         std::equal(a.dimensions().begin(), a.dimensions().end(),
                    b.dimensions().begin(), b.dimensions().end(), SameSize);
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

void VerifyReshape(const HloInstruction& reshape,
                   HloVerifierFindings& findings) {
  const Shape& from = reshape.operand(0).shape();
  const Shape& to = reshape.shape();
  if (from.IsArray() && to.IsArray() && SameType(from, to) &&
      from.ElementCount() == to.ElementCount()) {
    return;
  }
  findings.Add(kCode, reshape,
               absl::StrCat("a reshape keeps type and number of elements, but "
                            "the operand is ",
                            ShapeForMessage(from), " and the result ",
                            ShapeForMessage(to)));
}

// Dimension k of the operand becomes dimension dimensions[k] of the result.
void VerifyBroadcast(const HloInstruction& broadcast,
                     HloVerifierFindings& findings) {
  const Shape& from = broadcast.operand(0).shape();
  const Shape& to = broadcast.shape();
  const std::optional<absl::InlinedVector<int64_t, 6>> read =
      ReadIntegers(broadcast.attribute(HloAttributeKind::kDimensions));
  // Not given for a scalar.
  absl::Span<const int64_t> dimensions;
  if (read.has_value()) dimensions = *read;
  const int64_t rank = from.dimensions().size();
  bool fits = from.IsArray() && to.IsArray() && SameType(from, to) &&
              static_cast<int64_t>(dimensions.size()) == rank;
  for (int64_t k = 0; fits && k < rank; ++k) {
    fits = dimensions[k] >= 0 &&
           dimensions[k] < static_cast<int64_t>(to.dimensions().size()) &&
           SameSize(from.dimensions()[k], to.dimensions()[dimensions[k]]);
  }
  if (fits) return;
  findings.Add(kCode, broadcast,
               absl::StrCat("dimensions={", absl::StrJoin(dimensions, ","),
                            "} do not take ", ShapeForMessage(from), " to ",
                            ShapeForMessage(to)));
}

// The part that is taken or written has the array's rank and type, and fits
// into it.
void VerifyPart(const HloInstruction& instruction, const Shape& part,
                const Shape& whole, HloVerifierFindings& findings) {
  bool fits = part.IsArray() && whole.IsArray() && SameType(part, whole) &&
              part.dimensions().size() == whole.dimensions().size();
  for (size_t i = 0; fits && i < part.dimensions().size(); ++i) {
    const int64_t size = part.dimensions()[i];
    fits = size <= whole.dimensions()[i] ||
           whole.dimensions()[i] == kUnboundedDimension;
  }
  if (fits) return;
  findings.Add(kCode, instruction,
               absl::StrCat(ShapeForMessage(part), " is no part of ",
                            ShapeForMessage(whole)));
}

bool ChoosesElementType(HloOpcode opcode) {
  return opcode == HloOpcode::kDot || opcode == HloOpcode::kRaggedDot ||
         opcode == HloOpcode::kConvolution;
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
                  .number = instruction.tuple_index()});
  if (inferred.ok()) {
    // Products may be summed in a wider type than the operands have.
    if (!ChoosesElementType(instruction.opcode()) ||
        !SameDimensions(**inferred, instruction.shape())) {
      ExpectShape(instruction, kCode, **inferred, findings);
    }
  } else if (absl::IsInvalidArgument(inferred.status())) {
    findings.Add(kCode, instruction, std::string(inferred.status().message()));
  }
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
    case HloOpcode::kDynamicUpdateSlice:
      VerifyPart(instruction, instruction.operand(1).shape(),
                 instruction.operand(0).shape(), findings);
      [[fallthrough]];
    case HloOpcode::kOptBarrier:
    case HloOpcode::kWhile:
      return ExpectShape(instruction, kCode, instruction.operand(0).shape(),
                         findings);
    case HloOpcode::kSlice:
    case HloOpcode::kDynamicSlice:
      return VerifyPart(instruction, instruction.shape(),
                        instruction.operand(0).shape(), findings);
    case HloOpcode::kReshape:
      return VerifyReshape(instruction, findings);
    case HloOpcode::kBroadcast:
      return VerifyBroadcast(instruction, findings);
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
      return;  // VerifyCallees says more
    default:
      if (HasTrait(instruction.opcode(), kElementwise)) {
        VerifyElementwise(instruction, findings);
      } else if (HasTrait(instruction.opcode(), kInferable)) {
        VerifyInferred(instruction, findings);
      }
  }
}

}  // namespace ferry
