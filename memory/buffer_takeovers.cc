// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/buffer_takeovers.h"

#include <algorithm>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {
namespace {

using Visitor = llvm::function_ref<void(int32_t, int64_t, int32_t)>;

bool IsElementwise(const HloInstruction& instruction) {
  return HasTrait(instruction.opcode(), kElementwise) &&
         instruction.opcode() != HloOpcode::kCopy;
}

// The operand that an in-place update writes into; -1 for everything else.
int64_t UpdatedOperand(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kSetDimensionSize:
    case HloOpcode::kScatter:
      return 0;
    case HloOpcode::kTriangularSolve:
      return 1;
    default:
      return -1;
  }
}

// Results as many as operands they are made in: scatter, sort, all-reduce.
void VisitElements(const HloInstruction& instruction, int64_t count,
                   Visitor visit) {
  const Shape& shape = instruction.shape();
  for (int64_t i = 0; i < count; ++i) {
    const Shape& operand = instruction.operand(i).shape();
    const bool is_element =
        shape.IsTuple() &&
        i < static_cast<int64_t>(shape.tuple_shapes().size());
    if (is_element && shape.tuple_shapes()[i] == &operand) {
      visit(shape.ElementOrdinal(i), i, 0);
    } else if (!shape.IsTuple() && i == 0 && &shape == &operand) {
      visit(0, 0, 0);
    }
  }
}

void VisitDeclared(const HloInstruction& instruction, Visitor visit) {
  for (const OutputOperandAlias& alias :
       ReadOutputOperandAliasing(instruction)) {
    const auto to = instruction.shape().OrdinalOf(alias.output_index);
    const auto from = instruction.operand(alias.operand)
                          .shape()
                          .OrdinalOf(alias.operand_index);
    if (to.has_value() && from.has_value()) visit(*to, alias.operand, *from);
  }
}

// The parameter behind bitcasts; null if there is none.
const HloInstruction* ParameterBehind(const HloInstruction* value) {
  while (value->opcode() == HloOpcode::kBitcast) value = &value->operand(0);
  return value->opcode() == HloOpcode::kParameter ? value : nullptr;
}

class FusionTakeovers {
 public:
  FusionTakeovers(const HloInstruction& fusion, Visitor visit)
      : fusion_(fusion),
        body_(*fusion.called_computations()[0]),
        visit_(visit) {}

  void Run() {
    const HloInstruction& root = body_.root();
    if (root.opcode() == HloOpcode::kTuple) {
      for (size_t i = 0; i < root.operands().size(); ++i) {
        VisitUpdate(root.operand(i), fusion_.shape().ElementOrdinal(i));
      }
    } else {
      VisitUpdate(root, 0);
    }
    const absl::string_view kind = fusion_.attribute(HloAttributeKind::kKind);
    if (kind == "kLoop" || kind == "kInput") VisitElementwise();
  }

 private:
  // `made` is what the fusion gives at `ordinal`.
  void VisitUpdate(const HloInstruction& made, int32_t ordinal) {
    const HloInstruction* update = &made;
    while (update->opcode() == HloOpcode::kBitcast) {
      update = &update->operand(0);
    }
    const int64_t operand = UpdatedOperand(update->opcode());
    if (operand < 0) return;
    const HloInstruction* parameter =
        ParameterBehind(&update->operand(operand));
    if (parameter == nullptr || parameter->users().size() != 1) return;
    visit_(ordinal, parameter->parameter_number(), 0);
  }

  // A parameter that is read element by element may be overwritten so.
  void VisitElementwise() {
    llvm::DenseMap<const HloInstruction*, bool> is_elementwise;
    std::vector<const HloInstruction*> backwards;
    for (const HloInstruction& instruction : body_.instructions()) {
      backwards.push_back(&instruction);
    }
    std::reverse(backwards.begin(), backwards.end());
    for (const HloInstruction* instruction : backwards) {
      const auto users = instruction->users();
      is_elementwise[instruction] =
          std::all_of(users.begin(), users.end(), [&](const auto* user) {
            return is_elementwise.lookup(user) &&
                   (IsElementwise(*user) ||
                    user->opcode() == HloOpcode::kTuple);
          });
    }
    const Shape& shape = fusion_.shape();
    const int64_t results = shape.IsTuple() ? shape.tuple_shapes().size() : 1;
    for (int64_t result = 0; result < results; ++result) {
      const Shape& made =
          shape.IsTuple() ? *shape.tuple_shapes()[result] : shape;
      for (size_t i = 0; i < fusion_.operands().size(); ++i) {
        if (&fusion_.operand(i).shape() != &made ||
            !is_elementwise.lookup(body_.parameters()[i])) {
          continue;
        }
        visit_(shape.IsTuple() ? shape.ElementOrdinal(result) : 0, i, 0);
      }
    }
  }

  const HloInstruction& fusion_;
  const HloComputation& body_;
  Visitor visit_;
};

}  // namespace

void ForEachTakeover(const HloInstruction& instruction, Visitor visit) {
  VisitDeclared(instruction, visit);
  switch (instruction.opcode()) {
    case HloOpcode::kFusion:
      return FusionTakeovers(instruction, visit).Run();
    case HloOpcode::kScatter:
      return VisitElements(instruction, instruction.operands().size() / 2,
                           visit);
    case HloOpcode::kAllReduceStart:
      return VisitElements(instruction, instruction.operands().size(), visit);
    case HloOpcode::kSort:
      return VisitElements(
          instruction, instruction.operands().size(),
          [&](int32_t ordinal, int64_t operand, int32_t from) {
            if (instruction.operand(operand).users().size() > 1) return;
            visit(ordinal, operand, from);
          });
    default:
      break;
  }
  const int64_t updated = UpdatedOperand(instruction.opcode());
  if (updated >= 0 &&
      &instruction.operand(updated).shape() == &instruction.shape()) {
    visit(0, updated, 0);
  }
  if (!IsElementwise(instruction)) return;
  for (size_t i = 0; i < instruction.operands().size(); ++i) {
    if (&instruction.operand(i).shape() == &instruction.shape()) {
      visit(0, i, 0);
    }
  }
}

}  // namespace ferry
