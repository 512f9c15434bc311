// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1112: values of type b(array), which name memory instead of holding
// elements.
//
//   CreateBuffer ---> b(a) --+
//   Pin(array) -----> b(a) --+--> custom-call (in and out) --> Unpin --> array
//
// Only custom calls and what carries values along (tuples, loops, calls) may
// have them, those that touch one take it and give it back, and each is
// written by one operation at most.

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kBadBuffer;

bool HasBuffer(const Shape& shape) {
  llvm::SmallVector<const Shape*, 8> work = {&shape};
  while (!work.empty()) {
    const Shape* node = work.pop_back_val();
    if (node->element_type() == PrimitiveType::kBuffer) return true;
    const auto elements = node->tuple_shapes();
    work.append(elements.begin(), elements.end());
  }
  return false;
}

bool IsBuffer(const Shape& shape) {
  return shape.element_type() == PrimitiveType::kBuffer;
}

bool AnyOperandHasBuffer(const HloInstruction& instruction) {
  for (const HloInstruction* operand : instruction.operands()) {
    if (HasBuffer(operand->shape())) return true;
  }
  return false;
}

bool MayCarryBuffers(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kCustomCall:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
    case HloOpcode::kFusion:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kBitcast:
    case HloOpcode::kCopy:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return true;
    case HloOpcode::kParameter:
      return !instruction.parent().IsEntry();
    default:
      return false;
  }
}

// Pin, Unpin and CreateBuffer, whose forms are fixed.
void VerifyConversion(const HloInstruction& call, absl::string_view target,
                      HloVerifierFindings& findings) {
  const auto fail = [&](absl::string_view why) {
    findings.Add(kCode, call,
                 absl::StrCat("custom-call to ", target, " must have ", why));
  };
  if (target == "CreateBuffer") {
    if (!IsBuffer(call.shape())) fail("one buffer result");
    return;
  }
  const bool pins = target == "Pin";
  if (call.operands().size() != 1 ||
      (pins ? !call.operand(0).shape().IsArray()
            : !IsBuffer(call.operand(0).shape()))) {
    return fail(pins ? "one array non-buffer operand" : "one buffer operand");
  }
  const Shape& operand = call.operand(0).shape();
  if (pins ? !IsBuffer(call.shape()) : !call.shape().IsArray()) {
    return fail(pins ? "one buffer result" : "one array non-buffer result");
  }
  const Shape& array = pins ? operand : *operand.tuple_shapes()[0];
  const Shape& result = pins ? *call.shape().tuple_shapes()[0] : call.shape();
  if (!array.IsCompatible(result)) {
    return fail(absl::StrCat("the same shape as the operand, but has ",
                             ShapeForMessage(call.shape()), " of ",
                             ShapeForMessage(operand)));
  }
  if (ReadOutputOperandAliasing(call).size() != 1) {
    fail("one output-to-operand aliasing");
  }
}

// Any other custom call gives back the buffers that it takes.
void VerifyCarried(const HloInstruction& call, HloVerifierFindings& findings) {
  const auto aliases = ReadOutputOperandAliasing(call);
  for (size_t i = 0; i < call.operands().size(); ++i) {
    if (!IsBuffer(call.operand(i).shape())) continue;
    bool given_back = false;
    for (const OutputOperandAlias& alias : aliases) {
      given_back |= alias.operand == static_cast<int64_t>(i);
    }
    if (given_back) continue;
    findings.Add(kCode, call,
                 absl::StrCat("buffer is used in operands but not in results: "
                              "operand ",
                              i, " ShapeIndex {}"));
  }
  for (int32_t node = 0; node < call.shape().node_count(); ++node) {
    if (!IsBuffer(call.shape().NodeAt(node))) continue;
    const ShapeIndex index = call.shape().IndexAt(node);
    bool taken = false;
    for (const OutputOperandAlias& alias : aliases) {
      taken |= alias.output_index == index;
    }
    if (taken) continue;
    findings.Add(kCode, call,
                 absl::StrCat("buffer is used in results but not in operands: ",
                              ShapeIndexToString(index)));
  }
}

void VerifyOneWriter(const HloInstruction& instruction,
                     HloVerifierFindings& findings) {
  if (!IsBuffer(instruction.shape())) return;
  const HloInstruction* writer = nullptr;
  for (const HloInstruction* user : instruction.users()) {
    if (user->opcode() != HloOpcode::kCustomCall) continue;
    if (writer != nullptr) {
      return findings.Add(
          kCode, *user,
          absl::StrCat("an HLO buffer value has more than one writers (or "
                       "unpins): '",
                       writer->name(), "' '", user->name(), "'"));
    }
    writer = user;
  }
}

}  // namespace

void VerifyBuffers(const HloInstruction& instruction,
                   HloVerifierFindings& findings) {
  const bool gives =
      !instruction.shape().IsArray() && HasBuffer(instruction.shape());
  const bool is_custom_call = instruction.opcode() == HloOpcode::kCustomCall;
  const absl::string_view target = instruction.custom_call_target();
  if (is_custom_call &&
      (target == "Pin" || target == "Unpin" || target == "CreateBuffer")) {
    VerifyConversion(instruction, target, findings);
    return VerifyOneWriter(instruction, findings);
  }
  // Nearly every instruction leaves here.
  if (!gives && !(is_custom_call && AnyOperandHasBuffer(instruction))) return;
  if (!MayCarryBuffers(instruction)) {
    return findings.Add(
        kCode, instruction,
        absl::StrCat("Seen buffers while buffers aren't allowed in this "
                     "context: ",
                     instruction.name(), " is ",
                     ShapeForMessage(instruction.shape())));
  }
  if (is_custom_call) VerifyCarried(instruction, findings);
  VerifyOneWriter(instruction, findings);
}

}  // namespace ferry
