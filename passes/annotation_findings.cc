// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What annotations say, before any value is followed.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/passes/offload_findings.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

Diagnostic FindingAt(DiagnosticCode code, const HloInstruction& instruction,
                     std::vector<std::string> arguments) {
  return MakeDiagnostic(code, PlaceOf(instruction), arguments);
}

std::string Name(const HloInstruction& instruction) {
  return std::string(instruction.name());
}

bool IsWide(const Shape& shape) {
  switch (shape.element_type()) {
    case PrimitiveType::kS64:
    case PrimitiveType::kU64:
    case PrimitiveType::kF64:
    case PrimitiveType::kC128:
      return true;
    default:
      return false;
  }
}

// Rules about one annotation alone. `runs` tells whether its computation runs
// on the device in steps of its own, unlike a reducer or a host computation.
void CheckAnnotation(const OffloadGraph& graph, bool runs,
                     const HloInstruction& annotation,
                     std::vector<Diagnostic>& findings) {
  if (annotation.operands().size() != 1) {
    findings.push_back(FindingAt(
        DiagnosticCode::kOperandOfAnnotation, annotation,
        {std::string(annotation.custom_call_target()), Name(annotation),
         absl::StrCat(annotation.operands().size())}));
    return;
  }
  if (!runs) return;
  if (!graph.IsLive(annotation)) {
    findings.push_back(
        FindingAt(DiagnosticCode::kAnnotationWithoutEffect, annotation,
                  {Name(annotation), "nothing uses its result"}));
    return;
  }
  if (AnnotationOf(annotation) == PlacementAnnotation::kUnknown) {
    Diagnostic finding = FindingAt(
        DiagnosticCode::kUnknownPlacement, annotation,
        {Name(annotation), std::string(RequestedPlacement(annotation))});
    finding.notes.push_back(
        Note("known are pinned_host, unpinned_host, device, vmem and "
             "pinned_device; the shipped compiler skips this annotation and "
             "fails on it when it makes code"));
    findings.push_back(std::move(finding));
    return;
  }
  if (annotation.shape().IsTuple()) {
    Diagnostic finding =
        FindingAt(DiagnosticCode::kAnnotationOnTuple, annotation,
                  {Name(annotation), annotation.shape().ToString(false)});
    finding.notes.push_back(Note("the shipped compiler aborts on this"));
    findings.push_back(std::move(finding));
  } else if (IsWide(annotation.shape())) {
    Diagnostic finding =
        FindingAt(DiagnosticCode::kWideAnnotation, annotation,
                  {Name(annotation), annotation.shape().ToString(false)});
    finding.notes.push_back(
        Note("it splits 64-bit arrays into halves before it looks at "
             "annotations, and refuses these; move a 32-bit array instead"));
    findings.push_back(std::move(finding));
  }
}

// In a host computation an annotation is legal only at its end, where it says
// where the result goes; asking for host memory elsewhere is redundant.
void CheckHostComputation(const HloInstruction& call,
                          std::vector<Diagnostic>& findings) {
  for (const HloComputation* callee : call.called_computations()) {
    const HloInstruction& root = callee->root();
    for (const HloInstruction& instruction : callee->instructions()) {
      const PlacementAnnotation annotation = AnnotationOf(instruction);
      if (annotation == PlacementAnnotation::kNone ||
          annotation == PlacementAnnotation::kMoveToHost) {
        continue;
      }
      const auto result = root.operands();
      const bool at_the_end =
          &instruction == &root || (root.opcode() == HloOpcode::kTuple &&
                                    std::find(result.begin(), result.end(),
                                              &instruction) != result.end());
      if (at_the_end) continue;
      findings.push_back(
          FindingAt(DiagnosticCode::kAnnotationInHostComputation, instruction,
                    {std::string(callee->name()), HloToString(instruction)}));
    }
  }
}

// Moves to the device that no walk came upon.
void FindLoneMoves(const OffloadWalk& walk, std::vector<Diagnostic>& findings) {
  llvm::DenseSet<const HloInstruction*> reached;
  for (const WalkEvent& event : walk.events()) {
    if (event.kind == WalkEvent::Kind::kMovedToDevice) {
      reached.insert(event.at.instruction);
    }
    if (event.kind != WalkEvent::Kind::kFetchedBySlice) continue;
    // A slice that is the transfer itself: the moves behind it are its ends.
    std::vector<OffloadNode> work = {event.at};
    llvm::DenseSet<NodeId> seen;
    while (!work.empty()) {
      const OffloadNode node = work.back();
      work.pop_back();
      if (!seen.insert(walk.graph().IdOf(node)).second) continue;
      walk.graph().ForEachFlow(node, [&](const OffloadFlow& flow) {
        if (flow.kind == FlowKind::kMoveToDevice) {
          reached.insert(flow.to.instruction);
        } else if (flow.kind != FlowKind::kPredicate) {
          work.push_back(flow.to);
        }
      });
    }
  }
  std::vector<const HloInstruction*> lone;
  for (const OffloadContext& context : walk.graph().contexts()) {
    for (const HloInstruction& instruction :
         context.computation->instructions()) {
      if (AnnotationOf(instruction) == PlacementAnnotation::kMoveToDevice &&
          instruction.operands().size() == 1 &&
          walk.graph().IsLive(instruction) &&
          reached.insert(&instruction).second) {
        lone.push_back(&instruction);
      }
    }
  }
  if (lone.empty()) return;
  // Frameworks write one at each result, so they come in dozens: one finding.
  Diagnostic finding = FindingAt(DiagnosticCode::kLoneMoveToDevice, *lone[0],
                                 {Name(*lone[0]), Name(lone[0]->operand(0))});
  if (lone.size() > 1) {
    finding.notes.push_back(Note(absl::StrCat(
        "and so do ", lone.size() - 1, " more: ",
        absl::StrJoin(lone.begin() + 1, lone.end(), ", ",
                      [](std::string* out, const HloInstruction* move) {
                        absl::StrAppend(out, "`", move->name(), "`");
                      }))));
  }
  findings.push_back(std::move(finding));
}

}  // namespace

void FindAnnotationProblems(const OffloadWalk& documented,
                            std::vector<Diagnostic>& findings) {
  const OffloadGraph& graph = documented.graph();
  llvm::DenseSet<const HloComputation*> runs;
  for (const OffloadContext& context : graph.contexts()) {
    runs.insert(context.computation);
  }
  for (const HloComputation* computation : graph.module().computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (AnnotationOf(instruction) != PlacementAnnotation::kNone) {
        CheckAnnotation(graph, runs.count(computation) != 0, instruction,
                        findings);
      } else if (HasTrait(instruction.opcode(), kRunsCallee) &&
                 graph.IsLive(instruction) &&
                 IsMarkedHostCompute(instruction)) {
        CheckHostComputation(instruction, findings);
      }
    }
  }
  FindLoneMoves(documented, findings);
  for (const WalkEvent& event : documented.events()) {
    if (event.kind != WalkEvent::Kind::kRedundantMove) continue;
    findings.push_back(
        FindingOnPath(DiagnosticCode::kAnnotationWithoutEffect, documented,
                      event.at, event.from,
                      {Name(*event.at.instruction),
                       "its operand is in host memory already"}));
  }
  for (const OffloadNode& node : documented.mismatched_annotations()) {
    const HloInstruction& annotation = *node.instruction;
    findings.push_back(
        FindingAt(DiagnosticCode::kAnnotationShapeMismatch, annotation,
                  {Name(annotation), annotation.operand(0).shape().ToString(),
                   annotation.shape().ToString()}));
  }
  for (const OffloadNode& idle : documented.idle_annotations()) {
    findings.push_back(
        FindingAt(DiagnosticCode::kAnnotationWithoutEffect, *idle.instruction,
                  {Name(*idle.instruction), "nothing uses its result"}));
  }
}

}  // namespace ferry
