// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// A depth-first walk with a stack of its own. A computation is on that stack
// (open) while its callees are visited, so a call to an open one closes a
// cycle, which is what the stack holds from there on.

#include "ferry/hlo/call_graph.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

enum State : uint8_t { kNew, kOpen, kDone };

std::vector<HloComputation*> CalleesOf(const HloComputation& computation,
                                       std::vector<uint32_t>& last_caller) {
  std::vector<HloComputation*> callees;
  for (const HloInstruction& instruction : computation.instructions()) {
    for (HloComputation* callee : instruction.called_computations()) {
      // Ids plus one, so that 0 is nobody.
      uint32_t& last = last_caller[callee->id()];
      if (last == computation.id() + 1) continue;
      last = computation.id() + 1;
      callees.push_back(callee);
    }
  }
  return callees;
}

}  // namespace

CallGraph CallGraph::Build(const HloModule& module) {
  CallGraph graph;
  const size_t count = module.computations().size();
  graph.callees_.resize(count);
  graph.reachable_.resize(count);
  std::vector<uint32_t> last_caller(count, 0);
  for (const HloComputation* computation : module.computations()) {
    graph.callees_[computation->id()] = CalleesOf(*computation, last_caller);
  }
  std::vector<uint8_t> state(count, kNew);
  // From the entry first: what is done then is what it reaches.
  graph.Visit(module.entry(), state);
  for (HloComputation* computation : graph.post_order_) {
    graph.reachable_[computation->id()] = true;
  }
  for (HloComputation* computation : module.computations()) {
    graph.Visit(*computation, state);
  }
  return graph;
}

void CallGraph::Visit(HloComputation& start, std::vector<uint8_t>& state) {
  if (state[start.id()] != kNew) return;
  struct Open {
    HloComputation* computation;
    size_t next_callee;
  };
  llvm::SmallVector<Open, 16> stack;
  state[start.id()] = kOpen;
  stack.push_back({&start, 0});
  while (!stack.empty()) {
    Open& top = stack.back();
    const auto& callees = callees_[top.computation->id()];
    if (top.next_callee == callees.size()) {
      state[top.computation->id()] = kDone;
      post_order_.push_back(top.computation);
      stack.pop_back();
      continue;
    }
    HloComputation* callee = callees[top.next_callee++];
    if (state[callee->id()] == kNew) {
      state[callee->id()] = kOpen;
      stack.push_back({callee, 0});
    } else if (state[callee->id()] == kOpen && cycle_.empty()) {
      const auto first = std::find_if(
          stack.begin(), stack.end(),
          [callee](const Open& open) { return open.computation == callee; });
      for (auto open = first; open != stack.end(); ++open) {
        cycle_.push_back(open->computation);
      }
    }
  }
}

}  // namespace ferry
