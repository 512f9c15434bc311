// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rules F1101 and F1109 of opcodes whose result only the text tells: those
// that make values from nothing (iota, rng, ...) and those that read an operand
// as another shape (broadcast, reshape, bitcast, ...). XLA's wordings where it
// has one.

#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kShapeNotAsInferred;

bool SameType(const HloInstruction& instruction, const Shape& a,
              const Shape& b) {
  return IsAfterLayoutAssignment(instruction)
             ? IsSameTypeIgnoringPrecision(a.element_type(), b.element_type())
             : a.element_type() == b.element_type();
}

bool SameSize(int64_t a, int64_t b) {
  return a == b || a == kUnboundedDimension || b == kUnboundedDimension;
}

bool IsScalar(const Shape& shape) {
  return shape.IsArray() && shape.dimensions().empty();
}

bool IsUnbounded(const Shape& shape) {
  for (int64_t size : shape.dimensions()) {
    if (size == kUnboundedDimension) return true;
  }
  return false;
}

// Counts beyond 2^63 are taken as equal.
bool SameElementCount(const Shape& a, const Shape& b) {
  if (IsUnbounded(a) || IsUnbounded(b)) return true;
  return a.ElementCount() == b.ElementCount();
}

void VerifyReshape(const HloInstruction& reshape,
                   HloVerifierFindings& findings) {
  const Shape& from = reshape.operand(0).shape();
  const Shape& to = reshape.shape();
  const bool is_dynamic = reshape.opcode() == HloOpcode::kDynamicReshape;
  if (!from.IsArray() || !to.IsArray() || !SameType(reshape, from, to) ||
      !SameElementCount(from, to)) {
    findings.Add(kCode, reshape,
                 absl::StrCat("a reshape keeps type and number of elements, "
                              "but the operand is ",
                              ShapeForMessage(from), " and the result ",
                              ShapeForMessage(to)));
  }
  if (!is_dynamic) return;
  const size_t sizes = reshape.operands().size() - 1;
  if (to.IsArray() && to.dimensions().size() != sizes) {
    findings.Add(
        kCode, reshape,
        absl::StrCat("a dynamic-reshape to ", ShapeForMessage(to), " needs ",
                     to.dimensions().size(), " sizes, but has ", sizes));
  }
  for (size_t i = 1; i <= sizes; ++i) {
    const Shape& size = reshape.operand(i).shape();
    if (size.element_type() == PrimitiveType::kS32) continue;
    findings.Add(kCode, reshape,
                 absl::StrCat("sizes of a dynamic-reshape are s32[], but "
                              "operand ",
                              i, " is ", ShapeForMessage(size)));
  }
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
  bool fits = from.IsArray() && to.IsArray() && SameType(broadcast, from, to) &&
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

void VerifyIota(const HloInstruction& iota, HloVerifierFindings& findings) {
  const Shape& shape = iota.shape();
  if (!shape.IsArray()) {
    return findings.Add(kCode, iota,
                        absl::StrCat("Iota does not support non-array result, "
                                     "but the result is ",
                                     ShapeForMessage(shape)));
  }
  if (shape.dimensions().empty()) {
    return findings.Add(kCode, iota,
                        absl::StrCat("Iota does not support scalars, but the "
                                     "result is ",
                                     ShapeForMessage(shape)));
  }
  const std::optional<int64_t> dimension =
      ReadInteger(iota.attribute(HloAttributeKind::kIotaDimension));
  const int64_t rank = shape.dimensions().size();
  if (!dimension.has_value() || *dimension < 0 || *dimension >= rank) {
    findings.Add(kCode, iota,
                 absl::StrCat("The iota dimension cannot go beyond the "
                              "operation rank or be negative: it is ",
                              dimension.value_or(-1), ", the result is ",
                              ShapeForMessage(shape)));
  }
  if (shape.element_type() == PrimitiveType::kPred) {
    findings.Add(DiagnosticCode::kOperandsDoNotFit, iota,
                 "Only support iota of integral, floating point or complex "
                 "primitive types, got PRED");
  }
}

void VerifyRng(const HloInstruction& rng, HloVerifierFindings& findings) {
  const Shape& a = rng.operand(0).shape();
  const Shape& b = rng.operand(1).shape();
  if (!IsScalar(a) || !IsScalar(b)) {
    return findings.Add(
        kCode, rng,
        absl::StrCat("Expected scalar types for the two operands of Rng "
                     "instruction, got ",
                     ShapeForMessage(a), " and ", ShapeForMessage(b)));
  }
  const PrimitiveType type = a.element_type();
  if (!rng.shape().IsArray() || !SameType(rng, a, b) ||
      !SameType(rng, a, rng.shape())) {
    return findings.Add(
        kCode, rng,
        absl::StrCat("Expected compatible element types for the result and "
                     "the two operands of Rng instruction, got ",
                     ShapeForMessage(rng.shape()), ", ", ShapeForMessage(a),
                     " and ", ShapeForMessage(b)));
  }
  const bool is_normal =
      rng.attribute(HloAttributeKind::kDistribution) == "rng_normal";
  if (IsFloatingPoint(type) ||
      (!is_normal && (IsInteger(type) || type == PrimitiveType::kPred))) {
    return;
  }
  findings.Add(
      kCode, rng,
      absl::StrCat("Element type not supported. Expected element to be ",
                   is_normal ? "FloatingPointType for RngNormal"
                             : "of floating point type, integral type or "
                               "predicate type for RngUniform",
                   ", got ", ShapeForMessage(rng.shape())));
}

// (state, bits), or the bits alone.
void VerifyRngBitGenerator(const HloInstruction& generator,
                           HloVerifierFindings& findings) {
  const Shape& shape = generator.shape();
  if (!shape.IsTuple()) return;
  if (shape.tuple_shapes().size() != 2) {
    return findings.Add(kCode, generator,
                        absl::StrCat("Expected tuple shape with 2 elements for "
                                     "RngBitGenerator. Got: ",
                                     ShapeForMessage(shape)));
  }
  const Shape& state = generator.operand(0).shape();
  if (Fits(generator, state, *shape.tuple_shapes()[0])) return;
  findings.Add(kCode, generator,
               absl::StrCat("Expected state shape to match between input and "
                            "output for RngBitGenerator. Got ",
                            ShapeForMessage(state), " vs. ",
                            ShapeForMessage(*shape.tuple_shapes()[0])));
}

void VerifyRngState(const HloInstruction& state,
                    HloVerifierFindings& findings) {
  const Shape& shape = state.shape();
  if (shape.IsArray() && shape.element_type() == PrimitiveType::kU64 &&
      shape.dimensions() == absl::Span<const int64_t>({2})) {
    return;
  }
  findings.AddWithFix(
      kCode, state,
      absl::StrCat("Invalid RngGetAndUpdateState, expect result to have shape "
                   "u64[2], got ",
                   ShapeForMessage(shape)),
      {.title = "give it the shape u64[2]{0}",
       .kind = "set_shape",
       .before = ""});
}

// Where layouts are final, a bitcast reads the same bytes as another shape.
void VerifyBitcast(const HloInstruction& bitcast,
                   HloVerifierFindings& findings) {
  const Shape& from = bitcast.operand(0).shape();
  const Shape& to = bitcast.shape();
  if (from.IsTuple() != to.IsTuple()) {
    return findings.Add(
        kCode, bitcast,
        absl::StrCat(bitcast.name(),
                     ": a bitcast between a tuple and what is none (",
                     ShapeForMessage(to), ") (", ShapeForMessage(from), ")"));
  }
  if (!from.IsArray() || !to.IsArray()) return;
  const auto from_count = from.ElementCount();
  const auto to_count = to.ElementCount();
  if (!from_count.has_value() || !to_count.has_value()) return;
  // Padding may make up for what the plain sizes differ by.
  const bool tiled =
      from.layout() != nullptr && to.layout() != nullptr &&
      (!from.layout()->tiles().empty() || !to.layout()->tiles().empty());
  const auto bits = [](int64_t count, const Shape& shape) {
    return static_cast<__int128>(count) * shape.element_bits();
  };
  if (tiled || bits(*from_count, from) == bits(*to_count, to)) return;
  findings.Add(
      kCode, bitcast,
      absl::StrCat(bitcast.name(),
                   ": Bitcast cannot have different shape sizes of "
                   "output (",
                   to.LogicalBytes().value_or(-1), ") and operand (",
                   from.LogicalBytes().value_or(-1), ") (", ShapeForMessage(to),
                   ") (", ShapeForMessage(from), ")"));
}

}  // namespace

bool VerifyGenerator(const HloInstruction& instruction,
                     HloVerifierFindings& findings) {
  switch (instruction.opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kDynamicReshape:
      VerifyReshape(instruction, findings);
      return true;
    case HloOpcode::kBroadcast:
      VerifyBroadcast(instruction, findings);
      return true;
    case HloOpcode::kIota:
      VerifyIota(instruction, findings);
      return true;
    case HloOpcode::kRng:
      VerifyRng(instruction, findings);
      return true;
    case HloOpcode::kRngBitGenerator:
      VerifyRngBitGenerator(instruction, findings);
      return true;
    case HloOpcode::kRngGetAndUpdateState:
      VerifyRngState(instruction, findings);
      return true;
    case HloOpcode::kBitcast:
      VerifyBitcast(instruction, findings);
      return true;
    default:
      return false;
  }
}

}  // namespace ferry
