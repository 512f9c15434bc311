// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/instruction_cloner.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/call_graph.h"

namespace ferry {
namespace {

// The computations that `start` runs, itself included, callees before callers.
std::vector<const HloComputation*> RunBy(const HloComputation& start) {
  std::vector<const HloComputation*> order;
  llvm::DenseMap<const HloComputation*, bool> is_left = {{&start, false}};
  std::vector<const HloComputation*> stack = {&start};
  while (!stack.empty()) {
    const HloComputation& computation = *stack.back();
    if (is_left[&computation]) {
      stack.pop_back();
      continue;
    }
    const size_t depth = stack.size();
    for (const HloInstruction& instruction : computation.instructions()) {
      if (!RunsItsCallees(instruction)) continue;
      for (const HloComputation* callee : instruction.called_computations()) {
        if (is_left.try_emplace(callee, false).second) stack.push_back(callee);
      }
    }
    if (stack.size() > depth) continue;
    is_left[&computation] = true;
    order.push_back(&computation);
    stack.pop_back();
  }
  return order;
}

}  // namespace

bool RunsItsCallees(const HloInstruction& instruction) {
  return HasTrait(instruction.opcode(), kRunsCallee);
}

void PutCalleesFirst(HloModule& module) {
  const CallGraph graph = CallGraph::Build(module);
  module.SetComputationOrder(graph.post_order());
}

InstructionCloner::InstructionCloner(HloModule& module) : module_(module) {
  for (const HloComputation* computation : module.computations()) {
    names_.insert(std::string(computation->name()));
  }
}

HloComputation& InstructionCloner::AddComputation(absl::string_view base) {
  std::string name(base);
  for (int64_t i = 1; !names_.insert(name).second; ++i) {
    name = absl::StrCat(base, ".", i);
  }
  return module_.AddComputation(module_.SaveText(name),
                                HloInstruction::kNoSource);
}

HloInstruction& InstructionCloner::Clone(const HloInstruction& original,
                                         HloComputation& computation,
                                         HloInstruction* before,
                                         CloneMap& clones) {
  return Clone(original, computation, before, clones,
               original.called_computations());
}

HloInstruction& InstructionCloner::Clone(
    const HloInstruction& original, HloComputation& computation,
    HloInstruction* before, CloneMap& clones,
    absl::Span<HloComputation* const> callees) {
  std::vector<HloInstruction*> operands;
  for (const HloInstruction* operand : original.operands()) {
    operands.push_back(clones.lookup(operand));
  }
  std::vector<HloInstruction*> predecessors;
  for (const HloInstruction* predecessor : original.control_predecessors()) {
    predecessors.push_back(clones.lookup(predecessor));
  }
  HloModule::InstructionSpec spec = {};
  spec.opcode = original.opcode();
  spec.name = module_.UniqueName(original.name());
  spec.shape = &original.shape();
  spec.operands = operands;
  spec.called_computations = callees;
  spec.control_predecessors = predecessors;
  spec.attributes = original.attributes();
  spec.number = original.opcode() == HloOpcode::kParameter
                    ? original.parameter_number()
                    : original.tuple_index();
  spec.source_offset = original.source_offset();
  HloInstruction& clone = module_.AddInstruction(computation, spec, before);
  clones[&original] = &clone;
  return clone;
}

HloComputation& InstructionCloner::CloneComputation(
    const HloComputation& original) {
  llvm::DenseMap<const HloComputation*, HloComputation*> computations;
  for (const HloComputation* from : RunBy(original)) {
    HloComputation& to = AddComputation(absl::StrCat(from->name(), ".clone"));
    module_.set_execution_thread(to, from->execution_thread());
    if (from->IsFusionBody()) module_.set_fusion_body(to);
    CloneMap clones;
    for (const HloInstruction& instruction : from->instructions()) {
      std::vector<HloComputation*> callees;
      for (HloComputation* callee : instruction.called_computations()) {
        const auto copied = computations.find(callee);
        callees.push_back(RunsItsCallees(instruction) &&
                                  copied != computations.end()
                              ? copied->second
                              : callee);
      }
      Clone(instruction, to, nullptr, clones, callees);
    }
    module_.set_root(to, *clones.lookup(&from->root()));
    computations[from] = &to;
  }
  return *computations.lookup(&original);
}

}  // namespace ferry
