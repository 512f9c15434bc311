// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1110: what an elementwise operation must keep to although its result
// could be inferred otherwise. Inference still lets a scalar or a size of 1
// stretch, and mixes precisions; programs must say so with a broadcast or a
// convert.

#include "absl/strings/str_cat.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/hlo_verifier_rules.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kElementwiseForm;

bool SameSizes(const Shape& a, const Shape& b) {
  if (&a == &b) return true;
  if (!a.IsArray() || !b.IsArray() ||
      a.dimensions().size() != b.dimensions().size()) {
    return false;
  }
  for (size_t i = 0; i < a.dimensions().size(); ++i) {
    const int64_t x = a.dimensions()[i];
    const int64_t y = b.dimensions()[i];
    if (x != y && x != kUnboundedDimension && y != kUnboundedDimension) {
      return false;
    }
  }
  return true;
}

// The comparison type that elements of `type` have, but for TOTALORDER.
absl::string_view ComparisonType(PrimitiveType type) {
  if (IsFloatingPoint(type) || IsComplex(type)) return "FLOAT";
  return IsSignedInteger(type) ? "SIGNED" : "UNSIGNED";
}

void VerifyComparison(const HloInstruction& compare,
                      HloVerifierFindings& findings) {
  const absl::string_view type = compare.attribute(HloAttributeKind::kType);
  if (type.empty()) return;
  const PrimitiveType elements = compare.operand(0).shape().element_type();
  const absl::string_view expected = ComparisonType(elements);
  const bool may_be_total = IsFloatingPoint(elements);
  if (type == expected || (may_be_total && type == "TOTALORDER")) return;
  findings.Add(
      kCode, compare,
      absl::StrCat("Expected comparison type ", expected,
                   may_be_total ? " or TOTALORDER" : "", ", actual: ", type,
                   ", operand: ", ShapeForMessage(compare.operand(0).shape())));
}

void VerifyNoBroadcast(const HloInstruction& instruction,
                       HloVerifierFindings& findings) {
  for (const HloInstruction* operand : instruction.operands()) {
    const Shape& shape = operand->shape();
    if (!shape.IsArray() || SameSizes(shape, instruction.shape())) continue;
    findings.AddWithFix(
        kCode, instruction,
        absl::StrCat("Implicit broadcast is not allowed in HLO. Found "
                     "different shapes for instruction ",
                     HloOpcodeName(instruction.opcode()),
                     ", output: ", ShapeForMessage(instruction.shape()),
                     ", operand: ", ShapeForMessage(shape)),
        {.title = absl::StrCat("broadcast `", operand->name(), "` to ",
                               ShapeForMessage(instruction.shape())),
         .kind = "insert_broadcast",
         .before = std::string(instruction.name())});
    return;
  }
}

}  // namespace

void VerifyOnePrecision(const HloInstruction& instruction,
                        HloVerifierFindings& findings) {
  if (IsAfterLayoutAssignment(instruction)) return;
  const HloInstruction* first = nullptr;
  for (const HloInstruction* operand : instruction.operands()) {
    const Shape& shape = operand->shape();
    if (!shape.IsArray() || !IsFloatingPoint(shape.element_type())) continue;
    if (first == nullptr) first = operand;
    if (shape.element_type() == first->shape().element_type()) continue;
    findings.Add(
        DiagnosticCode::kShapeNotAsInferred, instruction,
        absl::StrCat("Seen floating point types of different "
                     "precisions in ",
                     instruction.name(), " (", ShapeForMessage(first->shape()),
                     " and ", ShapeForMessage(shape),
                     "), but mixed precision is disallowed"));
    return;
  }
}

void VerifyElementwise(const HloInstruction& instruction,
                       HloVerifierFindings& findings) {
  if (instruction.operands().size() < 2) return;
  VerifyOnePrecision(instruction, findings);
  switch (instruction.opcode()) {
    case HloOpcode::kSelect:
    case HloOpcode::kClamp:
    case HloOpcode::kStochasticConvert:
      return;  // scalars may stand for arrays, as inference knows
    case HloOpcode::kCompare:
      VerifyComparison(instruction, findings);
      break;
    default:
      break;
  }
  VerifyNoBroadcast(instruction, findings);
}

}  // namespace ferry
