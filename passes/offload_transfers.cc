// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/offload_transfers.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/induction_analysis.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

using Direction = HostTransfer::Direction;

// Annotated values go out before their first consumer, but an update writes its
// rows straight to host, and a host computation reads them where they are.
void AddOutgoing(const OffloadWalk& walk, TransferList& list) {
  for (const WalkStart& start : walk.starts()) {
    const HloInstruction& origin = *start.origin.instruction;
    if (AnnotationOf(origin) != PlacementAnnotation::kMoveToHost) continue;
    if (start.kind == FlowKind::kUpdate) {
      const HloInstruction& update = *start.start.instruction;
      list.Add(Direction::kDeviceToHost, start.start,
               update.operand(1).shape());
      continue;
    }
    if (start.kind == FlowKind::kHostCall || start.kind == FlowKind::kIndex) {
      continue;
    }
    // A host computation writes an annotated result to host itself.
    const HloInstruction* made_by = &origin.operand(0);
    while (made_by->opcode() == HloOpcode::kGetTupleElement) {
      made_by = &made_by->operand(0);
    }
    if (IsMarkedHostCompute(*made_by) ||
        made_by->opcode() == HloOpcode::kAsyncDone) {
      continue;
    }
    list.Add(Direction::kDeviceToHost, start.origin,
             start.origin.position().shape());
  }
  for (const UpdatedBuffer& buffer : walk.updated_buffers()) {
    const HloInstruction& producer = *buffer.producer.instruction;
    if (producer.opcode() == HloOpcode::kBroadcast ||
        producer.opcode() == HloOpcode::kParameter ||
        IsUndefinedBuffer(producer)) {
      continue;
    }
    list.Add(Direction::kDeviceToHost, buffer.producer,
             buffer.producer.position().shape());
  }
}

// Leaves of the program's result whose layout is in host memory.
std::vector<int32_t> HostOutputs(const HloModule& module) {
  std::vector<int32_t> outputs;
  const Shape& result = *module.entry_layout().result;
  for (int32_t node = 0; node < result.node_count(); ++node) {
    const Shape& leaf = result.NodeAt(node);
    if (leaf.IsArray() && leaf.memory_space() == MemorySpace::kHost) {
      outputs.push_back(node);
    }
  }
  return outputs;
}

bool IsListed(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kCall:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
      return false;
    default:
      return AnnotationOf(instruction) == PlacementAnnotation::kNone &&
             !instruction.IsCustomCall("HostExecute");
  }
}

void ListMarkedHostCompute(const OffloadGraph& graph,
                           std::map<InstructionId, HostComputation>& list) {
  // Computations that marked instructions run; callers stand after callees.
  llvm::DenseMap<const HloComputation*, const HloInstruction*> run_on_host;
  const auto computations = graph.module().computations();
  for (auto it = computations.rbegin(); it != computations.rend(); ++it) {
    const HloComputation& computation = **it;
    const auto inside = run_on_host.find(&computation);
    const HloInstruction* runner =
        inside == run_on_host.end() ? nullptr : inside->second;
    for (const HloInstruction& instruction : computation.instructions()) {
      const bool marked =
          IsMarkedHostCompute(instruction) && graph.IsLive(instruction);
      if (runner == nullptr && !marked) continue;
      const HloInstruction* by = runner != nullptr ? runner : &instruction;
      if (HasTrait(instruction.opcode(), kRunsCallee) ||
          instruction.IsCustomCall("HostExecute")) {
        for (const HloComputation* callee : instruction.called_computations()) {
          run_on_host.try_emplace(callee, by);
        }
      }
      if (!IsListed(instruction)) continue;
      list.try_emplace(
          instruction.id(),
          HostComputation{&instruction,
                          by == &instruction
                              ? "marked to run on the host"
                              : absl::StrCat("inside `", by->name(),
                                             "`, which runs on the host")});
    }
  }
}

}  // namespace

void TransferList::Add(Direction direction, const OffloadNode& at,
                       const Shape& moved) {
  if (!seen_.insert({direction, graph_.IdOf(at)}).second) return;
  const auto executions = ExecutionsOf(graph_, at.context);
  const auto [entry, is_new] = transfers_.try_emplace(
      std::tuple(at.instruction->id(), direction, at.ordinal),
      HostTransfer{direction, at.instruction, moved.LogicalBytes(),
                   executions});
  if (is_new) return;
  std::optional<int64_t>& total = entry->second.trip_count;
  int64_t sum = 0;
  if (total.has_value() && executions.has_value() &&
      !llvm::AddOverflow(*total, *executions, sum)) {
    total = sum;
  } else {
    total = std::nullopt;
  }
}

std::vector<HostTransfer> TransferList::Take() {
  std::vector<HostTransfer> list;
  for (auto& [key, transfer] : transfers_) list.push_back(transfer);
  return list;
}

std::optional<int64_t> ExecutionsOf(const OffloadGraph& graph,
                                    ContextId context) {
  int64_t executions = 1;
  while (context != 0) {
    const auto& callers = graph.contexts()[context].callers;
    if (callers.size() != 1) return std::nullopt;
    const HloInstruction& caller = *callers[0].instruction;
    if (caller.opcode() == HloOpcode::kWhile) {
      const std::optional<int64_t> trips = FindTripCount(caller);
      if (!trips || llvm::MulOverflow(executions, *trips, executions)) {
        return std::nullopt;
      }
    }
    context = callers[0].context;
  }
  return executions;
}

bool IsDeviceValueAtHostOutput(const OffloadWalk& walk, int32_t ordinal) {
  const HloModule& module = walk.graph().module();
  const OffloadNode output = {0, &module.entry().root(), ordinal};
  if (walk.IsHost(output)) return false;
  // A host computation writes its result where it is wanted.
  OffloadNode made = output;
  while (true) {
    const auto sources = walk.graph().SourcesOf(made);
    if (sources.size() != 1) break;
    made = sources[0];
  }
  return !IsMarkedHostCompute(*made.instruction);
}

std::vector<HostTransfer> PredictTransfers(const OffloadWalk& walk) {
  const OffloadGraph& graph = walk.graph();
  TransferList list(graph);
  AddOutgoing(walk, list);
  for (const WalkEvent& event : walk.events()) {
    if (event.kind == WalkEvent::Kind::kMovedToDevice ||
        event.kind == WalkEvent::Kind::kFetchedBySlice) {
      list.Add(Direction::kHostToDevice, event.at, event.at.position().shape());
    }
  }
  const HloModule& module = graph.module();
  for (int32_t output : HostOutputs(module)) {
    if (!IsDeviceValueAtHostOutput(walk, output)) continue;
    const OffloadNode node = {0, &module.entry().root(), output};
    list.Add(Direction::kDeviceToHost, node, node.position().shape());
  }
  return list.Take();
}

std::vector<HostComputation> ListHostCompute(const OffloadGraph& graph,
                                             const OffloadWalk* walk) {
  std::map<InstructionId, HostComputation> list;
  ListMarkedHostCompute(graph, list);
  if (walk != nullptr) {
    for (const WalkEvent& event : walk->events()) {
      if (event.kind != WalkEvent::Kind::kHostCompute &&
          event.kind != WalkEvent::Kind::kHostUpdate) {
        continue;
      }
      const OffloadNode from = graph.NodeOf(event.from);
      list.try_emplace(event.at.instruction->id(),
                       HostComputation{event.at.instruction,
                                       absl::StrCat("its operand `",
                                                    from.instruction->name(),
                                                    "` is in host memory")});
    }
  }
  std::vector<HostComputation> result;
  for (auto& [id, computation] : list) result.push_back(std::move(computation));
  return result;
}

}  // namespace ferry
