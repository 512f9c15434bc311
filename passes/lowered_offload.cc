// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/lowered_offload.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/offload_transfers.h"
#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

using Direction = HostTransfer::Direction;

bool HasHostLeaf(const Shape& shape) {
  for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
    if (walk.node().IsHostArray()) return true;
  }
  return false;
}

// An asynchronous operation is known by the instruction that starts it.
OffloadNode StartOf(const OffloadGraph& graph, const OffloadNode& node) {
  const auto& callers = graph.contexts()[node.context].callers;
  if (callers.size() == 1 &&
      callers[0].instruction->opcode() == HloOpcode::kAsyncStart) {
    return {callers[0].context, callers[0].instruction, 0};
  }
  return node;
}

// Bytes that go from `source` to `target` in one piece.
void AddMove(const Shape& source, const Shape& target, const Shape& moved,
             const OffloadNode& at, TransferList& list) {
  if (source.IsHostArray() == target.IsHostArray()) return;
  list.Add(target.IsHostArray() ? Direction::kDeviceToHost
                                : Direction::kHostToDevice,
           at, moved);
}

// Whether operations of this kind only hand values on, or are handled apart.
bool HandsOn(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kBitcast:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kCopyDone:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kCall:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
      return true;
    default:
      return false;
  }
}

// A device operation whose result is in host memory writes it there itself,
// unless it works in place on a host operand.
void AddDirectWrites(const OffloadNode& node, TransferList& list) {
  const HloInstruction& instruction = *node.instruction;
  const auto operands = instruction.operands();
  if (IsMarkedHostCompute(instruction) || IsUndefinedBuffer(instruction) ||
      std::any_of(operands.begin(), operands.end(),
                  [](const HloInstruction* operand) {
                    return HasHostLeaf(operand->shape());
                  })) {
    return;
  }
  for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
    if (!walk.node().IsHostArray()) continue;
    list.Add(Direction::kDeviceToHost,
             {node.context, &instruction, walk.ordinal()}, walk.node());
  }
}

void AddTransfers(const OffloadGraph& graph, const OffloadNode& node,
                  TransferList& list) {
  const HloInstruction& instruction = *node.instruction;
  const Shape& shape = instruction.shape();
  const OffloadNode at = StartOf(graph, node);
  switch (instruction.opcode()) {
    case HloOpcode::kCopyStart: {
      const auto elements = shape.tuple_shapes();
      if (elements.size() < 2) return;
      AddMove(*elements[1], *elements[0], *elements[0], at, list);
      return;
    }
    case HloOpcode::kCopy:
    case HloOpcode::kSlice:
    case HloOpcode::kDynamicSlice:
      AddMove(instruction.operand(0).shape(), shape, shape, at, list);
      return;
    case HloOpcode::kDynamicUpdateSlice:
      AddMove(instruction.operand(1).shape(), shape,
              instruction.operand(1).shape(), at, list);
      return;
    default:
      if (!HandsOn(instruction.opcode())) AddDirectWrites(at, list);
      return;
  }
}

// From whoever makes the value to the program's result.
std::vector<OffloadNode> WayToOutput(const OffloadGraph& graph,
                                     const OffloadNode& output) {
  std::vector<OffloadNode> way = {output};
  for (auto sources = graph.SourcesOf(output); !sources.empty();
       sources = graph.SourcesOf(way.back())) {
    way.push_back(sources.back());
    if (way.size() > graph.node_limit()) break;
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

OffloadStage FindOffloadStage(const HloModule& module) {
  bool has_host_layout = false;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      const PlacementAnnotation annotation = AnnotationOf(instruction);
      if (annotation != PlacementAnnotation::kNone &&
          annotation != PlacementAnnotation::kPinToDevice) {
        return OffloadStage::kBefore;
      }
      has_host_layout |= instruction.opcode() != HloOpcode::kParameter &&
                         HasHostLeaf(instruction.shape());
    }
  }
  if (module.is_scheduled()) return OffloadStage::kScheduled;
  return has_host_layout ? OffloadStage::kOffloaded : OffloadStage::kBefore;
}

std::vector<HostTransfer> ListLoweredTransfers(const OffloadGraph& graph) {
  TransferList list(graph);
  for (ContextId context = 0; context < graph.contexts().size(); ++context) {
    for (const HloInstruction& instruction :
         graph.contexts()[context].computation->instructions()) {
      if (!graph.IsLive(instruction)) continue;
      AddTransfers(graph, {context, &instruction, 0}, list);
    }
  }
  return list.Take();
}

std::vector<Diagnostic> FindLoweredProblems(const OffloadGraph& graph) {
  std::vector<Diagnostic> findings;
  const HloModule& module = graph.module();
  const HloInstruction& root = module.entry().root();
  const Shape& declared = *module.entry_layout().result;
  ShapeWalk given(declared);
  for (ShapeWalk walk(root.shape()); !walk.AtEnd(); walk.Next(), given.Next()) {
    const int32_t leaf = walk.ordinal();
    const bool is_host = walk.node().IsHostArray();
    if (is_host == given.node().IsHostArray()) continue;
    const std::vector<OffloadNode> way = WayToOutput(graph, {0, &root, leaf});
    const std::string maker(way.front().instruction->name());
    const ShapeIndex index = root.shape().IndexAt(leaf);
    Diagnostic finding =
        is_host
            ? MakeDiagnostic(DiagnosticCode::kOffloadOutputLocationMismatch,
                             PlaceOf(root), {maker})
            : MakeDiagnostic(DiagnosticCode::kDeviceValueAtHostOutput,
                             PlaceOf(root), {ShapeIndexToString(index), maker});
    finding.output_index = index;
    if (is_host) {
      finding.annotation = PlaceOf(*way.front().instruction);
      for (const OffloadNode& hop : way) {
        finding.path.push_back(DescribeHop(hop));
      }
      finding.fixes = OutputFixes(module, index);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ferry
