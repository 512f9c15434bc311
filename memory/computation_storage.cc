// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Callers before callees: each computation hands what it is on to those that
// it calls.

#include "ferry/memory/computation_storage.h"

#include "absl/types/span.h"
#include "ferry/hlo/call_graph.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"

namespace ferry {
namespace {

// What a call of `caller` makes of the computations that it names.
ComputationStorage StorageOfCallee(const HloInstruction& caller,
                                   ComputationStorage of_caller) {
  if (caller.opcode() == HloOpcode::kFusion) return ComputationStorage::kFused;
  if (of_caller == ComputationStorage::kGlobal &&
      HasTrait(caller.opcode(), kRunsCallee)) {
    return ComputationStorage::kGlobal;
  }
  return ComputationStorage::kThreadLocal;
}

}  // namespace

std::vector<ComputationStorage> FindComputationStorage(
    const HloModule& module, std::vector<const HloComputation*>* conflicts) {
  std::vector<ComputationStorage> storage(module.computations().size(),
                                          ComputationStorage::kUnreachable);
  storage[module.entry().id()] = ComputationStorage::kGlobal;
  const CallGraph graph = CallGraph::Build(module);
  const absl::Span<HloComputation* const> order = graph.post_order();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const HloComputation& computation = **it;
    if (computation.IsEntry() || !graph.IsReachable(computation)) continue;
    bool is_both = false;
    ComputationStorage& mine = storage[computation.id()];
    for (const HloInstruction* caller : computation.callers()) {
      const ComputationStorage of_caller = storage[caller->parent().id()];
      if (of_caller == ComputationStorage::kUnreachable) continue;
      const ComputationStorage as = StorageOfCallee(*caller, of_caller);
      if (mine == ComputationStorage::kUnreachable) {
        mine = as;
        continue;
      }
      is_both =
          is_both || (as != mine && (as == ComputationStorage::kGlobal ||
                                     mine == ComputationStorage::kGlobal));
      if (as < mine) mine = as;
    }
    if (is_both && conflicts != nullptr) conflicts->push_back(&computation);
  }
  return storage;
}

}  // namespace ferry
