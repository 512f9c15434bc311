// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/remove_dead_code.h"

#include <vector>

#include "ferry/hlo/hlo_computation.h"

namespace ferry {
namespace {

bool HasEffect(const HloInstruction& instruction) {
  return HasTrait(instruction.opcode(), kHasSideEffect) ||
         HasTrait(instruction.opcode(), kRunsCallee) ||
         HasTrait(instruction.opcode(), kCollective) ||
         instruction.opcode() == HloOpcode::kParameter ||
         instruction.HasAttribute(HloAttributeKind::kCustomCallHasSideEffect);
}

bool ReadThroughTuples(HloModule& module, HloComputation& computation) {
  bool changed = false;
  for (HloInstruction& instruction : computation.instructions()) {
    if (instruction.opcode() != HloOpcode::kGetTupleElement) continue;
    HloInstruction& tuple = instruction.operand(0);
    if (tuple.opcode() != HloOpcode::kTuple || instruction.IsRoot()) continue;
    HloInstruction& element = tuple.operand(instruction.tuple_index());
    if (instruction.users().empty()) continue;
    module.ReplaceAllUses(instruction, element);
    changed = true;
  }
  return changed;
}

// Users stand below what they use, so one walk up is enough.
bool RemoveUnused(HloModule& module, HloComputation& computation) {
  std::vector<HloInstruction*> instructions;
  for (HloInstruction& instruction : computation.instructions()) {
    instructions.push_back(&instruction);
  }
  bool changed = false;
  for (size_t i = instructions.size(); i-- > 0;) {
    HloInstruction& instruction = *instructions[i];
    if (!instruction.users().empty() || instruction.IsRoot() ||
        HasEffect(instruction)) {
      continue;
    }
    module.RemoveInstruction(instruction);
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> RemoveDeadCode::Run(HloModule& module, PassContext&) {
  bool changed = false;
  for (HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) continue;
    changed |= ReadThroughTuples(module, *computation);
    changed |= RemoveUnused(module, *computation);
  }
  const size_t before = module.computations().size();
  module.RemoveUnreachableComputations();
  return changed || module.computations().size() < before;
}

}  // namespace ferry
