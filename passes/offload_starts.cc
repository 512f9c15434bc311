// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Finding where walks start: annotations in the compiler's order, and the first
// real consumers of each.
#include <deque>
#include <utility>

#include "ferry/passes/offload_walk.h"
#include "ferry/passes/placement_annotation.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

// Live instructions of a computation, operands and control predecessors before
// users, from each instruction without users in stored order.
std::vector<const HloInstruction*> PostOrder(
    const OffloadGraph& graph, const HloComputation& computation) {
  std::vector<const HloInstruction*> order;
  llvm::DenseSet<const HloInstruction*> seen;
  std::vector<std::pair<const HloInstruction*, size_t>> stack;
  const auto open = [&](const HloInstruction* instruction) {
    if (seen.insert(instruction).second) stack.push_back({instruction, 0});
  };
  const auto has_live_users = [&](const HloInstruction& instruction) {
    for (const HloInstruction* user : instruction.users()) {
      if (graph.IsLive(*user)) return true;
    }
    return false;
  };
  for (const HloInstruction& root : computation.instructions()) {
    if (!graph.IsLive(root) || has_live_users(root)) continue;
    open(&root);
    while (!stack.empty()) {
      auto& [instruction, next] = stack.back();
      const auto control = instruction->control_predecessors();
      const auto operands = instruction->operands();
      if (next < control.size()) {
        open(control[control.size() - 1 - next++]);
      } else if (next < control.size() + operands.size()) {
        open(operands[next++ - control.size()]);
      } else {
        order.push_back(instruction);
        stack.pop_back();
      }
    }
  }
  return order;
}

// Whether the compiler's tracker never sees the node: calls are inlined before
// it runs, and get-tuple-elements of tuples are folded.
bool IsFoldedAway(const OffloadGraph& graph, const OffloadNode& node) {
  const HloInstruction& instruction = *node.instruction;
  if (instruction.opcode() == HloOpcode::kCall) return true;
  if (instruction.opcode() == HloOpcode::kParameter) {
    for (const auto& site : graph.contexts()[node.context].callers) {
      if (site.instruction->opcode() != HloOpcode::kCall) return false;
    }
    return node.context != 0;
  }
  if (instruction.opcode() == HloOpcode::kGetTupleElement) {
    const HloOpcode from = instruction.operand(0).opcode();
    return from == HloOpcode::kTuple || from == HloOpcode::kCall;
  }
  return false;
}

// Whether a tuple stays when the get-tuple-elements that read it are folded.
bool TupleStays(const OffloadGraph& graph, const OffloadNode& node) {
  for (const HloInstruction* user : node.instruction->users()) {
    if (graph.IsLive(*user) && user->opcode() != HloOpcode::kGetTupleElement) {
      return true;
    }
  }
  if (!node.instruction->IsRoot()) return false;
  for (const auto& site : graph.contexts()[node.context].callers) {
    if (site.instruction->opcode() != HloOpcode::kCall) return true;
  }
  return node.context == 0;
}

// Operations directly after an annotation that stay on the device with it.
bool IsPassedOver(const OffloadFlow& flow) {
  switch (flow.to.instruction->opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kReshape:
    case HloOpcode::kCopy:
      return true;
    default:
      return false;
  }
}

// The leaves that `instruction` puts into host memory: all those of an
// annotation, and those that a marked host call returns annotated (the compiler
// moves such annotations to the call's users).
void AddOrigins(ContextId context, const HloInstruction& instruction,
                std::vector<OffloadNode>& origins) {
  const auto add_leaves = [&](int32_t first, const Shape& shape) {
    for (int32_t node = 0; node < shape.node_count(); ++node) {
      if (shape.NodeAt(node).IsTuple()) continue;
      origins.push_back({context, &instruction, first + node});
    }
  };
  if (AnnotationOf(instruction) == PlacementAnnotation::kMoveToHost) {
    add_leaves(0, instruction.shape());
    return;
  }
  if (instruction.opcode() != HloOpcode::kCall ||
      !IsMarkedHostCompute(instruction) ||
      instruction.called_computations().empty()) {
    return;
  }
  const HloInstruction& root = instruction.called_computations()[0]->root();
  if (AnnotationOf(root) == PlacementAnnotation::kMoveToHost) {
    add_leaves(0, root.shape());
  } else if (root.opcode() == HloOpcode::kTuple) {
    for (size_t i = 0; i < root.operands().size(); ++i) {
      if (AnnotationOf(root.operand(i)) == PlacementAnnotation::kMoveToHost) {
        add_leaves(root.shape().ElementOrdinal(i), root.operand(i).shape());
      }
    }
  }
}

}  // namespace

std::vector<OffloadNode> AnnotationsInOrder(const OffloadGraph& graph) {
  std::vector<OffloadNode> annotations;
  std::vector<std::vector<const HloInstruction*>> orders(
      graph.module().computations().size());
  struct Open {
    ContextId context;
    size_t next = 0;
  };
  std::vector<Open> stack = {{0}};
  std::vector<ContextId> callees;
  llvm::DenseSet<ContextId> seen = {0};
  while (!stack.empty()) {
    const ContextId context = stack.back().context;
    const HloComputation& computation = *graph.contexts()[context].computation;
    auto& order = orders[computation.id()];
    if (order.empty()) order = PostOrder(graph, computation);
    if (stack.back().next == order.size()) {
      stack.pop_back();
      continue;
    }
    const HloInstruction& instruction = *order[stack.back().next++];
    AddOrigins(context, instruction, annotations);
    if (!HasTrait(instruction.opcode(), kRunsCallee)) continue;
    // Pushed in order, taken from the top: a loop's body before its condition.
    const int32_t roles = instruction.called_computations().size();
    for (int32_t role = 0; role < roles; ++role) {
      const int32_t pushed =
          instruction.opcode() == HloOpcode::kWhile ? role : roles - 1 - role;
      const auto callee = graph.CalleeContext(context, instruction, pushed);
      if (callee.has_value() && seen.insert(*callee).second) {
        stack.push_back({*callee});
      }
    }
  }
  return annotations;
}

std::vector<WalkStart> FindStarts(const OffloadGraph& graph,
                                  const OffloadNode& origin,
                                  std::vector<PassedOver>& passed_over) {
  std::vector<WalkStart> starts;
  struct Way {
    OffloadNode node;
    int32_t passed_over;  // the last hop of it; -1 at the origin
  };
  std::deque<Way> ways = {{origin, kNothingPassedOver}};
  llvm::DenseSet<NodeId> seen;
  const auto pass_over = [&](const OffloadNode& node, int32_t before) {
    passed_over.push_back({node, before});
    return static_cast<int32_t>(passed_over.size() - 1);
  };
  const auto take = [&](const Way& way, const OffloadFlow& flow) {
    if (flow.kind == FlowKind::kBackEdge ||
        !seen.insert(graph.IdOf(flow.to)).second) {
      return;
    }
    const bool tuple = flow.to.instruction->opcode() == HloOpcode::kTuple;
    const bool stays =
        tuple ? TupleStays(graph, flow.to)
              : !IsFoldedAway(graph, flow.to) && !IsPassedOver(flow);
    if (stays) {
      starts.push_back({.origin = origin,
                        .passed_over = way.passed_over,
                        .start = flow.to,
                        .kind = flow.kind});
    }
    if (!stays) {
      ways.push_back({flow.to, pass_over(flow.to, way.passed_over)});
      return;
    }
    // A tuple that stays is looked through as well: what reads the element
    // reads the annotated value.
    if (!tuple) return;
    const int32_t over_tuple = pass_over(flow.to, way.passed_over);
    graph.ForEachFlow(flow.to, [&](const OffloadFlow& element) {
      if (element.to.instruction->opcode() != HloOpcode::kGetTupleElement ||
          !seen.insert(graph.IdOf(element.to)).second) {
        return;
      }
      ways.push_back({element.to, pass_over(element.to, over_tuple)});
    });
  };
  while (!ways.empty()) {
    const Way way = ways.front();
    ways.pop_front();
    graph.ForEachFlow(way.node,
                      [&](const OffloadFlow& flow) { take(way, flow); });
    // The program's result with nothing in between that the compiler sees.
    if (way.node.context == 0 && way.node.instruction->IsRoot()) {
      starts.push_back(
          {.origin = origin,
           .passed_over = way.passed_over == kNothingPassedOver
                              ? kNothingPassedOver
                              : passed_over[way.passed_over].before,
           .start = way.node,
           .is_program_root = true});
    }
  }
  return starts;
}

}  // namespace ferry
