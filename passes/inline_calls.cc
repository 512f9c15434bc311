// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/inline_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/call_graph.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/passes/instruction_cloner.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseSet.h"

// Callees first: what is put in place of a call has been worked on itself, so
// that one visit of each computation is enough. The first loop or branch that
// calls a computation keeps it, the others get copies.

namespace ferry {
namespace {

constexpr int64_t kMostInstructions = 1'000'000;
constexpr int64_t kMostGrowth = 16;

bool IsInlinable(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kCall &&
         instruction.control_predecessors().empty() &&
         !IsMarkedHostCompute(instruction) &&
         instruction.called_computations()[0]->execution_thread() ==
             instruction.parent().execution_thread();
}

// Instructions of the entry with all it runs, each as often as it is run from;
// INT64_MAX at most.
int64_t ExpandedSize(const HloModule& module, const CallGraph& graph) {
  std::vector<int64_t> sizes(module.computations().size(), 0);
  const auto add = [](int64_t a, int64_t b) {
    return b > INT64_MAX - a ? INT64_MAX : a + b;
  };
  for (const HloComputation* computation : graph.post_order()) {
    int64_t& size = sizes[computation->id()];
    for (const HloInstruction& instruction : computation->instructions()) {
      size = add(size, 1);
      if (!RunsItsCallees(instruction)) continue;
      for (const HloComputation* callee : instruction.called_computations()) {
        size = add(size, sizes[callee->id()]);
      }
    }
  }
  return sizes[module.entry().id()];
}

class CallInliner {
 public:
  explicit CallInliner(HloModule& module) : module_(module), cloner_(module) {}

  // The entry is nobody's to keep.
  bool Run(const CallGraph& graph) {
    const std::vector<HloComputation*> order(graph.post_order().begin(),
                                             graph.post_order().end());
    kept_.insert(&module_.entry());
    for (HloComputation* computation : order) {
      if (graph.IsReachable(*computation)) Visit(*computation);
    }
    if (changed_) Finish();
    return changed_;
  }

 private:
  void Visit(HloComputation& computation) {
    std::vector<HloInstruction*> calls;
    for (HloInstruction& instruction : computation.instructions()) {
      if (RunsItsCallees(instruction)) calls.push_back(&instruction);
    }
    for (HloInstruction* call : calls) {
      if (IsInlinable(*call)) {
        Inline(*call);
      } else if (call->opcode() != HloOpcode::kAsyncUpdate &&
                 call->opcode() != HloOpcode::kAsyncDone) {
        Separate(*call);
      }
    }
  }

  void Inline(HloInstruction& call) {
    changed_ = true;
    const HloComputation& callee = *call.called_computations()[0];
    CloneMap clones;
    for (const HloInstruction* parameter : callee.parameters()) {
      clones[parameter] = &call.operand(parameter->parameter_number());
    }
    std::vector<HloInstruction*> added;
    for (const HloInstruction& instruction : callee.instructions()) {
      if (instruction.opcode() == HloOpcode::kParameter) continue;
      added.push_back(
          &cloner_.Clone(instruction, call.parent(), &call, clones));
    }
    for (HloInstruction* clone : added) {
      if (RunsItsCallees(*clone)) Separate(*clone);
    }
    module_.ReplaceAllUses(call, *clones.lookup(&callee.root()));
    module_.RemoveInstruction(call);
  }

  // Gives the instruction computations that nobody else calls.
  void Separate(HloInstruction& caller) {
    std::vector<HloComputation*> callees;
    bool is_shared = false;
    for (HloComputation* callee : caller.called_computations()) {
      if (kept_.insert(callee).second) {
        callees.push_back(callee);
        continue;
      }
      is_shared = true;
      HloComputation& copy = cloner_.CloneComputation(*callee);
      kept_.insert(&copy);
      callees.push_back(&copy);
    }
    if (!is_shared || !caller.control_predecessors().empty()) return;
    changed_ = true;
    CloneMap same;
    for (HloInstruction* operand : caller.operands()) same[operand] = operand;
    HloInstruction& replacement =
        cloner_.Clone(caller, caller.parent(), &caller, same, callees);
    module_.ReplaceAllUses(caller, replacement);
    module_.RemoveInstruction(caller);
  }

  void Finish() {
    module_.RemoveUnreachableComputations();
    PutCalleesFirst(module_);
  }

  HloModule& module_;
  InstructionCloner cloner_;
  // Computations that have their caller.
  llvm::DenseSet<const HloComputation*> kept_;
  bool changed_ = false;
};

}  // namespace

absl::StatusOr<bool> InlineCalls::Run(HloModule& module, PassContext&) {
  const CallGraph graph = CallGraph::Build(module);
  if (!graph.cycle().empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "computation `", graph.cycle().front()->name(), "` calls itself"));
  }
  const int64_t size = ExpandedSize(module, graph);
  const int64_t limit =
      std::max<int64_t>(kMostInstructions, kMostGrowth * module.id_limit());
  if (size > limit) {
    return absl::ResourceExhaustedError(
        absl::StrCat("calls put in place make ", size,
                     " instructions, above the limit of ", limit));
  }
  return CallInliner(module).Run(graph);
}

}  // namespace ferry
