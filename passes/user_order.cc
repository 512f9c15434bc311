// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/user_order.h"

#include <algorithm>
#include <utility>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

// Beyond this many users the place of a dead one is not looked for: it stays in
// the list, where whoever follows live values passes it by.
constexpr uint32_t kManyUsers = 1024;

bool IsRemovable(const HloInstruction& instruction) {
  return !instruction.IsRoot() && !HasSideEffect(instruction) &&
         instruction.opcode() != HloOpcode::kParameter;
}

template <typename Act>
void ForEachOperandOnce(const HloInstruction& instruction, Act act) {
  const auto operands = instruction.operands();
  if (operands.size() <= 8) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const auto end = operands.begin() + i;
      if (std::find(operands.begin(), end, operands[i]) == end) {
        act(*operands[i]);
      }
    }
    return;
  }
  llvm::DenseSet<const HloInstruction*> seen;
  for (const HloInstruction* operand : operands) {
    if (seen.insert(operand).second) act(*operand);
  }
}

}  // namespace

bool HasSideEffect(const HloInstruction& instruction) {
  if (HasTrait(instruction.opcode(), kHasSideEffect)) return true;
  return instruction.attribute(HloAttributeKind::kCustomCallHasSideEffect) ==
             "true" &&
         AnnotationOf(instruction) == PlacementAnnotation::kNone;
}

std::vector<const HloInstruction*> PostOrder(
    const HloComputation& computation,
    absl::FunctionRef<bool(const HloInstruction&)> keep,
    llvm::BitVector& seen) {
  std::vector<const HloInstruction*> order;
  std::vector<std::pair<const HloInstruction*, size_t>> stack;
  const auto open = [&](const HloInstruction* instruction) {
    if (seen.test(instruction->id())) return;
    seen.set(instruction->id());
    stack.push_back({instruction, 0});
  };
  for (const HloInstruction& last : computation.instructions()) {
    const auto users = last.users();
    const bool is_used =
        std::any_of(users.begin(), users.end(),
                    [&](const HloInstruction* user) { return keep(*user); });
    if (is_used || !keep(last)) continue;
    open(&last);
    while (!stack.empty()) {
      auto& [instruction, next] = stack.back();
      const auto control = instruction->control_predecessors();
      const auto operands = instruction->operands();
      if (next < control.size()) {
        open(control[control.size() - 1 - next++]);
      } else if (next < control.size() + operands.size()) {
        open(operands[next++ - control.size()]);
      } else {
        order.push_back(instruction);
        stack.pop_back();
      }
    }
  }
  return order;
}

UserOrder::UserOrder(const HloModule& module)
    : first_(module.id_limit()), count_(module.id_limit()) {
  size_t uses = 0;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      first_[instruction.id()] = uses;
      uses += instruction.users().size();
    }
  }
  users_.resize(uses);
  llvm::BitVector seen(module.id_limit());
  for (const HloComputation* computation : module.computations()) {
    const auto post_order = PostOrder(
        *computation, [](const HloInstruction&) { return true; }, seen);
    AddUsers(post_order);
    RemoveDead(post_order);
  }
}

void UserOrder::AddUsers(absl::Span<const HloInstruction* const> post_order) {
  for (const HloInstruction* user : post_order) {
    ForEachOperandOnce(*user, [&](const HloInstruction& operand) {
      users_[first_[operand.id()] + count_[operand.id()]++] = user;
    });
  }
}

// In post-order; what only a removed instruction used goes with it.
void UserOrder::RemoveDead(absl::Span<const HloInstruction* const> post_order) {
  llvm::DenseSet<const HloInstruction*> removed;
  std::vector<const HloInstruction*> work;
  for (const HloInstruction* instruction : post_order) {
    work.push_back(instruction);
    while (!work.empty()) {
      const HloInstruction& dead = *work.back();
      work.pop_back();
      if (count_[dead.id()] > 0 || !IsRemovable(dead) ||
          !removed.insert(&dead).second) {
        continue;
      }
      ForEachOperandOnce(dead, [&](const HloInstruction& operand) {
        Remove(dead, operand);
        work.push_back(&operand);
      });
    }
  }
}

void UserOrder::Remove(const HloInstruction& user,
                       const HloInstruction& operand) {
  uint32_t& count = count_[operand.id()];
  if (count > kManyUsers) return;
  const auto first = users_.begin() + first_[operand.id()];
  const auto place = std::find(first, first + count, &user);
  if (place == first + count) return;
  *place = *(first + count - 1);
  --count;
}

}  // namespace ferry
