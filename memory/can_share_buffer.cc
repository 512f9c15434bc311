// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/can_share_buffer.h"

#include <cstddef>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"

namespace ferry {
namespace {

// The one other input of an add whose first match is a dot or convolution;
// null if there is no such input.
const HloInstruction* AddedToProduct(const HloInstruction& add) {
  for (int i = 0; i < 2; ++i) {
    const HloOpcode opcode = add.operand(i).opcode();
    if (opcode == HloOpcode::kDot || opcode == HloOpcode::kConvolution) {
      return &add.operand(1 - i);
    }
  }
  return nullptr;
}

// The tuple element, or 0 for an array, at which result `ordinal` stands; -1
// if it lies deeper.
int64_t ElementAt(const Shape& shape, int32_t ordinal) {
  if (!shape.IsTuple()) return ordinal == 0 ? 0 : -1;
  if (ordinal == 0) return -1;
  const int64_t element = shape.ElementHolding(ordinal);
  return shape.ElementOrdinal(element) == ordinal ? element : -1;
}

}  // namespace

bool IsElementwiseOnOperand(const HloInstruction& instruction,
                            int64_t operand) {
  if (instruction.opcode() == HloOpcode::kDynamicUpdateSlice) {
    return operand == 0;
  }
  return HasTrait(instruction.opcode(), kElementwise);
}

BufferSharing::BufferSharing(const HloModule& module)
    : is_elementwise_body_(module.computations().size(), false),
      is_used_elementwise_(module.id_limit(), false) {
  // Callees first, so that a fusion in a body is known when it is looked at.
  for (const HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) Analyze(*computation);
  }
}

void BufferSharing::Analyze(const HloComputation& body) {
  std::vector<const HloInstruction*> order;
  bool is_elementwise = true;
  const auto is_elementwise_fusion = [&](const HloInstruction& instruction) {
    return instruction.opcode() == HloOpcode::kFusion &&
           !instruction.called_computations().empty() &&
           is_elementwise_body_[instruction.called_computations()[0]->id()];
  };
  for (const HloInstruction& instruction : body.instructions()) {
    order.push_back(&instruction);
    is_elementwise =
        is_elementwise && (instruction.opcode() == HloOpcode::kParameter ||
                           HasTrait(instruction.opcode(), kElementwise) ||
                           is_elementwise_fusion(instruction));
    is_used_elementwise_[instruction.id()] = true;
  }
  is_elementwise_body_[body.id()] = is_elementwise;
  // Users before operands.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const HloInstruction& user = **it;
    const bool is_transparent =
        user.opcode() == HloOpcode::kTuple || is_elementwise_fusion(user);
    for (size_t i = 0; i < user.operands().size(); ++i) {
      if ((is_transparent || IsElementwiseOnOperand(user, i)) &&
          is_used_elementwise_[user.id()]) {
        continue;
      }
      is_used_elementwise_[user.operand(i).id()] = false;
    }
  }
}

bool BufferSharing::FusionCanWriteOver(const HloInstruction& fusion,
                                       int64_t operand) const {
  if (fusion.called_computations().empty()) return false;
  const HloComputation& body = *fusion.called_computations()[0];
  if (operand >= static_cast<int64_t>(body.parameters().size())) return false;
  const HloInstruction& parameter = *body.parameters()[operand];
  const absl::string_view kind = fusion.attribute(HloAttributeKind::kKind);
  if (kind == "kLoop" || kind == "kInput") {
    return is_used_elementwise_[parameter.id()];
  }
  if (kind != "kOutput" || body.root().opcode() != HloOpcode::kAdd) {
    return false;
  }
  return AddedToProduct(body.root()) == &parameter &&
         parameter.users().size() == 1;
}

bool BufferSharing::CanWriteOver(const HloUse& use) const {
  const HloInstruction& user = *use.instruction;
  const HloInstruction& operand = user.operand(use.operand_number);
  switch (user.opcode()) {
    case HloOpcode::kCopy:
      return false;
    case HloOpcode::kFusion:
      return FusionCanWriteOver(user, use.operand_number);
    case HloOpcode::kSort:
      return use.operand_ordinal == 0 && operand.users().size() == 1;
    case HloOpcode::kAllReduce:
      return use.operand_ordinal == 0;
    case HloOpcode::kTriangularSolve:
      return use.operand_number == 1;
    default:
      return IsElementwiseOnOperand(user, use.operand_number);
  }
}

bool BufferSharing::CanShare(const HloUse& use, int32_t result_ordinal) const {
  if (!CanWriteOver(use)) return false;
  const HloInstruction& user = *use.instruction;
  if (user.opcode() != HloOpcode::kSort &&
      user.opcode() != HloOpcode::kAllReduce) {
    return true;
  }
  return ElementAt(user.shape(), result_ordinal) == use.operand_number;
}

}  // namespace ferry
