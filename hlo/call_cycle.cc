// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A depth-first walk with a stack of its own. A computation is on that stack
// (open) while its callees are visited, so a call to an open one closes a
// cycle, which is what the stack holds from there on.

#include "ferry/hlo/call_cycle.h"

#include <algorithm>
#include <cstdint>

namespace ferry {
namespace {

// Each once, in the order of the instructions.
std::vector<const HloComputation*> CalleesOf(
    const HloComputation& computation, std::vector<uint32_t>& last_caller) {
  std::vector<const HloComputation*> callees;
  for (const HloInstruction& instruction : computation.instructions()) {
    for (const HloComputation* callee : instruction.called_computations()) {
      // Ids plus one, so that 0 is nobody.
      uint32_t& last = last_caller[callee->id()];
      if (last == computation.id() + 1) continue;
      last = computation.id() + 1;
      callees.push_back(callee);
    }
  }
  return callees;
}

class Walk {
 public:
  explicit Walk(const HloModule& module)
      : states_(module.computations().size(), State::kNew),
        last_caller_(module.computations().size(), 0) {}

  // The first cycle among what `start` calls and no walk has seen.
  std::vector<const HloComputation*> From(const HloComputation& start) {
    if (StateOf(start) != State::kNew) return {};
    Push(start);
    while (!stack_.empty()) {
      Open& top = stack_.back();
      if (top.next == top.callees.size()) {
        StateOf(*top.computation) = State::kDone;
        stack_.pop_back();
        continue;
      }
      const HloComputation& callee = *top.callees[top.next++];
      if (StateOf(callee) == State::kNew) {
        Push(callee);
      } else if (StateOf(callee) == State::kOpen) {
        return StackFrom(callee);
      }
    }
    return {};
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };
  struct Open {
    const HloComputation* computation;
    std::vector<const HloComputation*> callees;
    size_t next = 0;
  };

  State& StateOf(const HloComputation& computation) {
    return states_[computation.id()];
  }

  void Push(const HloComputation& computation) {
    StateOf(computation) = State::kOpen;
    stack_.push_back({&computation, CalleesOf(computation, last_caller_)});
  }

  std::vector<const HloComputation*> StackFrom(
      const HloComputation& first) const {
    std::vector<const HloComputation*> cycle;
    auto open = std::find_if(
        stack_.begin(), stack_.end(),
        [&](const Open& one) { return one.computation == &first; });
    for (; open != stack_.end(); ++open) cycle.push_back(open->computation);
    return cycle;
  }

  std::vector<State> states_;
  std::vector<uint32_t> last_caller_;
  std::vector<Open> stack_;
};

}  // namespace

std::vector<const HloComputation*> FindCallCycle(const HloModule& module) {
  Walk walk(module);
  // From the entry first: a cycle that it reaches is the one to tell of.
  std::vector<const HloComputation*> cycle = walk.From(module.entry());
  for (const HloComputation* computation : module.computations()) {
    if (!cycle.empty()) break;
    cycle = walk.From(*computation);
  }
  return cycle;
}

}  // namespace ferry
