// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/offload_transfers.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/induction_analysis.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

using Direction = HostTransfer::Direction;

// A host computation writes a result to host memory itself if nothing else
// uses the result than annotations and outputs that are on host.
bool HostCallWritesHost(const OffloadGraph& graph, const OffloadNode& origin) {
  const HloInstruction& annotation = *origin.instruction;
  const OffloadNode made =
      graph.MakerOf({origin.context, &annotation.operand(0), origin.ordinal});
  if (!IsMarkedHostCompute(*made.instruction)) return false;
  std::vector<OffloadNode> work = {made};
  llvm::DenseSet<NodeId> seen;
  bool only_host = true;
  while (!work.empty() && only_host) {
    const OffloadNode node = work.back();
    work.pop_back();
    if (!seen.insert(graph.IdOf(node)).second) continue;
    if (node.context == 0 && node.instruction->IsRoot()) {
      only_host &= graph.module()
                       .entry_layout()
                       .result->NodeAt(node.ordinal)
                       .IsHostArray();
    }
    graph.ForEachFlow(node, [&](const OffloadFlow& flow) {
      if (flow.kind == FlowKind::kPass || flow.kind == FlowKind::kMoveToHost) {
        work.push_back(flow.to);
      } else {
        only_host = false;
      }
    });
  }
  return only_host;
}

// An update with a device value of a buffer in host memory sends what it
// writes, annotated or not.
void AddUpdates(const OffloadWalk& walk, TransferList& list) {
  const auto contexts = walk.graph().contexts();
  for (ContextId context = 0; context < contexts.size(); ++context) {
    for (const HloInstruction& instruction :
         contexts[context].computation->instructions()) {
      if (instruction.opcode() != HloOpcode::kDynamicUpdateSlice ||
          !walk.graph().IsLive(instruction)) {
        continue;
      }
      const OffloadNode update = {context, &instruction, 0};
      const HloInstruction& row = instruction.operand(1);
      if (walk.IsHost(update) && !walk.IsHost({context, &row, 0})) {
        list.Add(Direction::kDeviceToHost, update, row.shape());
      }
    }
  }
}

// Annotated values go out before their first consumer, but not where an update
// sends them itself or a host computation reads them where they are.
void AddOutgoing(const OffloadWalk& walk, TransferList& list) {
  for (const WalkStart& start : walk.starts()) {
    const HloInstruction& origin = *start.origin.instruction;
    if (AnnotationOf(origin) != PlacementAnnotation::kMoveToHost) continue;
    if (start.kind == FlowKind::kUpdate || start.kind == FlowKind::kHostCall ||
        start.kind == FlowKind::kIndex) {
      continue;
    }
    if (HostCallWritesHost(walk.graph(), start.origin)) continue;
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
  for (ShapeWalk walk(result); !walk.AtEnd(); walk.Next()) {
    if (walk.node().IsHostArray()) outputs.push_back(walk.ordinal());
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
  entries_.push_back({at,
                      {direction, at.instruction, &moved, moved.LogicalBytes(),
                       ExecutionsOf(graph_, at.context)}});
}

std::vector<HostTransfer> TransferList::Take() {
  const auto key = [](const Entry& entry) {
    return std::tuple(entry.at.instruction->id(), entry.transfer.direction,
                      entry.at.ordinal, entry.at.context);
  };
  std::sort(entries_.begin(), entries_.end(),
            [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  std::vector<HostTransfer> list;
  const Entry* last = nullptr;
  for (const Entry& entry : entries_) {
    if (last != nullptr && key(*last) == key(entry)) continue;
    const bool in_another_context =
        last != nullptr && last->at.instruction == entry.at.instruction &&
        last->transfer.direction == entry.transfer.direction &&
        last->at.ordinal == entry.at.ordinal;
    last = &entry;
    if (!in_another_context) {
      list.push_back(entry.transfer);
      continue;
    }
    std::optional<int64_t>& total = list.back().trip_count;
    const std::optional<int64_t>& more = entry.transfer.trip_count;
    int64_t sum = 0;
    const bool known = total.has_value() && more.has_value() &&
                       !llvm::AddOverflow(*total, *more, sum);
    total = known ? std::optional<int64_t>(sum) : std::nullopt;
  }
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
  return !IsMarkedHostCompute(*walk.graph().MakerOf(output).instruction);
}

std::vector<HostTransfer> PredictTransfers(const OffloadWalk& walk) {
  const OffloadGraph& graph = walk.graph();
  TransferList list(graph);
  AddOutgoing(walk, list);
  AddUpdates(walk, list);
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
