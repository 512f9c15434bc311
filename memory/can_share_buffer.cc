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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace ferry {
namespace {

// Whether nothing else that the body makes needs what `instruction` makes.
bool IsResultOnly(const HloInstruction& instruction) {
  return instruction.IsRoot() ||
         llvm::all_of(instruction.users(), [](const HloInstruction* next) {
           return next->IsRoot() && next->opcode() == HloOpcode::kTuple;
         });
}

// Whether the elements of the operand are taken one after another, to be summed
// up or to be written into a larger array, for a result that nothing else
// needs.
bool IsTakenInOrder(const HloInstruction& user, size_t operand) {
  switch (user.opcode()) {
    case HloOpcode::kReduce:
      return operand < user.operands().size() / 2 && IsResultOnly(user);
    case HloOpcode::kDynamicUpdateSlice:
      return operand == 1 && IsResultOnly(user);
    default:
      return false;
  }
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
      is_used_in_order_(module.id_limit(), false) {
  // Callees first, so that a fusion in a body is known when it is looked at.
  for (const HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) Analyze(*computation);
  }
}

void BufferSharing::Analyze(const HloComputation& body) {
  std::vector<const HloInstruction*> order;
  // Whether all users are bitcasts and such that take elements in order.
  llvm::DenseMap<const HloInstruction*, bool> is_only_taken;
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
    is_used_in_order_[instruction.id()] = true;
    is_only_taken[&instruction] = true;
  }
  is_elementwise_body_[body.id()] = is_elementwise;
  // Users before operands.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const HloInstruction& user = **it;
    const bool is_transparent =
        user.opcode() == HloOpcode::kTuple || is_elementwise_fusion(user);
    for (size_t i = 0; i < user.operands().size(); ++i) {
      const bool is_elementwise =
          is_transparent || IsElementwiseOnOperand(user, i);
      const InstructionId operand = user.operand(i).id();
      // A bitcast moves no element, but gives it another index: what is behind
      // it may only take all in order.
      const bool is_taken = IsTakenInOrder(user, i) ||
                            (user.opcode() == HloOpcode::kBitcast &&
                             is_only_taken[&user] && !user.users().empty());
      if (!is_taken) {
        is_only_taken[&user.operand(i)] = false;
        if (!is_elementwise || !is_used_in_order_[user.id()]) {
          is_used_in_order_[operand] = false;
        }
      }
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
  return (kind == "kLoop" || kind == "kInput" || kind == "kOutput") &&
         is_used_in_order_[parameter.id()];
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
