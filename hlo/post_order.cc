// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/post_order.h"

#include <utility>

namespace ferry {
namespace {

class ComputationWalk {
 public:
  explicit ComputationWalk(const HloModule& module)
      : is_marked_(module.computations().size()) {
    order_.reserve(module.computations().size());
  }

  // All that `root` calls, then `root`.
  void Visit(HloComputation& root) {
    for (HloInstruction& instruction : root.instructions()) {
      Push(instruction);
      while (!stack_.empty()) Step();
    }
    order_.push_back(&root);
  }

  std::vector<HloComputation*> TakeOrder() { return std::move(order_); }

 private:
  struct Frame {
    HloComputation* computation;
    HloInstructionIterator<HloInstruction> next;
  };

  void Push(const HloInstruction& instruction) {
    const auto callees = instruction.called_computations();
    // XLA keeps a loop's body in front of its condition.
    const bool body_first = instruction.opcode() == HloOpcode::kWhile;
    for (size_t i = 0; i < callees.size(); ++i) {
      HloComputation* callee = callees[body_first ? i : callees.size() - 1 - i];
      if (is_marked_[callee->id()]) continue;
      is_marked_[callee->id()] = true;
      stack_.push_back({callee, callee->instructions().begin()});
    }
  }

  void Step() {
    Frame& top = stack_.back();
    if (top.next == top.computation->instructions().end()) {
      order_.push_back(top.computation);
      stack_.pop_back();
      return;
    }
    const HloInstruction& instruction = *top.next;
    ++top.next;
    Push(instruction);  // moves `top`
  }

  std::vector<bool> is_marked_;  // by ComputationId
  std::vector<Frame> stack_;
  std::vector<HloComputation*> order_;
};

}  // namespace

std::vector<HloComputation*> MakeComputationPostOrder(const HloModule& module) {
  ComputationWalk walk(module);
  for (HloComputation* computation : module.computations()) {
    if (computation->callers().empty()) walk.Visit(*computation);
  }
  return walk.TakeOrder();
}

absl::Span<const HloInstruction* const> InstructionPostOrder::Of(
    const HloComputation& computation) {
  order_.clear();
  state_.resize(module_.id_limit(), State::kNew);
  for (const HloInstruction& instruction : computation.instructions()) {
    if (instruction.users().empty()) Visit(instruction);
  }
  return order_;
}

void InstructionPostOrder::Visit(const HloInstruction& from) {
  stack_.push_back(&from);
  while (!stack_.empty()) {
    const HloInstruction& top = *stack_.back();
    State& state = state_[top.id()];
    if (state != State::kNew) {
      stack_.pop_back();
      if (state == State::kVisited) continue;
      state = State::kVisited;
      order_.push_back(&top);
      continue;
    }
    state = State::kVisiting;
    const auto operands = top.operands();
    for (size_t i = operands.size(); i > 0; --i) {
      if (state_[operands[i - 1]->id()] == State::kNew) {
        stack_.push_back(operands[i - 1]);
      }
    }
    for (const HloInstruction* predecessor : top.control_predecessors()) {
      if (state_[predecessor->id()] == State::kNew) {
        stack_.push_back(predecessor);
      }
    }
  }
}

}  // namespace ferry
