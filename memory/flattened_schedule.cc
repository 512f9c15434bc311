// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/flattened_schedule.h"

#include <algorithm>
#include <cstddef>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// The instruction that waits for `start`, an async-start, to end; null if the
// module never waits.
const HloInstruction* FindAsyncDone(const HloInstruction& start) {
  const HloInstruction* at = &start;
  while (true) {
    const HloInstruction* next = nullptr;
    for (const HloInstruction* user : at->users()) {
      if (user->opcode() == HloOpcode::kAsyncDone) return user;
      if (user->opcode() == HloOpcode::kAsyncUpdate) next = user;
    }
    if (next == nullptr) return nullptr;
    at = next;
  }
}

}  // namespace

FlattenedSchedule FlattenedSchedule::Build(const HloModule& module) {
  FlattenedSchedule schedule;
  schedule.Flatten(module);
  schedule.FindLastEnds();
  return schedule;
}

void FlattenedSchedule::Flatten(const HloModule& module) {
  times_.assign(module.id_limit(), kNever);
  spans_.assign(module.computations().size(), {kNever, kNever});
  using Iterator = HloInstructionIterator<const HloInstruction>;
  struct Open {
    const HloComputation* computation;
    Iterator next;
    size_t next_callee;
  };
  llvm::SmallVector<Open, 16> stack;
  const auto open = [&](const HloComputation& computation) {
    spans_[computation.id()].start = size();
    stack.push_back({&computation, computation.instructions().begin(), 0});
  };
  open(module.entry());
  while (!stack.empty()) {
    Open& top = stack.back();
    if (top.next == Iterator()) {
      spans_[top.computation->id()].end = size();
      stack.pop_back();
      continue;
    }
    const HloInstruction& instruction = *top.next;
    const auto callees = instruction.called_computations();
    if (HasTrait(instruction.opcode(), kRunsCallee) &&
        top.next_callee < callees.size()) {
      const HloComputation& callee = *callees[top.next_callee++];
      if (spans_[callee.id()].start == kNever) open(callee);
      continue;
    }
    times_[instruction.id()] = size();
    sequence_.push_back(&instruction);
    ++top.next;
    top.next_callee = 0;
  }
}

// Callers stand behind their callees in the sequence, so going backwards all
// callers of a computation are done before what it calls.
void FlattenedSchedule::FindLastEnds() {
  last_ends_.resize(spans_.size());
  for (size_t i = 0; i < spans_.size(); ++i) last_ends_[i] = spans_[i].end;
  // Whether a computation lives beyond its span, and so do those it calls.
  std::vector<bool> is_extended(spans_.size(), false);
  for (auto it = sequence_.rbegin(); it != sequence_.rend(); ++it) {
    const HloInstruction& caller = **it;
    if (!HasTrait(caller.opcode(), kRunsCallee)) continue;
    const ComputationId outer = caller.parent().id();
    LogicalTime end = is_extended[outer] ? last_ends_[outer] : kNever;
    if (caller.opcode() == HloOpcode::kAsyncStart) {
      const HloInstruction* done = FindAsyncDone(caller);
      end = std::max(end, done == nullptr ? spans_[outer].end : TimeOf(*done));
    }
    for (const HloComputation* callee : caller.called_computations()) {
      LogicalTime callee_end = end;
      // Called again: its values must be there at both times.
      if (callee->callers().size() > 1) {
        callee_end = std::max(callee_end, TimeOf(caller));
      }
      if (callee_end <= last_ends_[callee->id()]) continue;
      last_ends_[callee->id()] = callee_end;
      is_extended[callee->id()] = true;
    }
  }
}

}  // namespace ferry
