// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Finding where walks start: annotations in the compiler's order, and the first
// real consumers of each.
#include <algorithm>
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
// it runs (and loops that run once, and branches always taken), elements of
// tuples are read directly, and elements that loops only carry are taken out.
class Folding {
 public:
  explicit Folding(const OffloadGraph& graph) : graph_(graph) {}

  bool IsFoldedAway(OffloadNode node) {
    if (node.instruction->opcode() == HloOpcode::kTuple) {
      return !TupleStays(node);
    }
    // An element of something folded is folded with it.
    while (node.instruction->opcode() == HloOpcode::kGetTupleElement) {
      const HloInstruction& element = *node.instruction;
      const HloInstruction& tuple = element.operand(0);
      if (tuple.opcode() == HloOpcode::kTuple) return true;
      node = {
          node.context, &tuple,
          tuple.shape().ElementOrdinal(element.tuple_index()) + node.ordinal};
    }
    const HloInstruction& instruction = *node.instruction;
    switch (instruction.opcode()) {
      case HloOpcode::kCall:
      case HloOpcode::kConditional:
        return graph_.facts().IsInlined(instruction);
      case HloOpcode::kWhile:
        return graph_.facts().IsInlined(instruction) ||
               graph_.OnlyCarries(node);
      case HloOpcode::kParameter:
        return node.context != 0 && IsInlined(node.context);
      default:
        return false;
    }
  }

  // Whether a tuple stays, at least with the element of `node`, when all that
  // reads elements of it is folded.
  bool TupleStays(const OffloadNode& node) {
    // Tuples in tuples, and tuples handed through calls.
    std::vector<OffloadNode> work = {node};
    llvm::DenseSet<NodeId> seen;
    bool stays = false;
    while (!work.empty() && !stays) {
      const OffloadNode at = work.back();
      work.pop_back();
      if (!seen.insert(graph_.IdOf(at)).second) continue;
      if (at.context == 0 && at.instruction->IsRoot()) return true;
      graph_.ForEachFlow(at, [&](const OffloadFlow& flow) {
        const HloInstruction& to = *flow.to.instruction;
        if (flow.kind == FlowKind::kBackEdge) {
          stays = true;  // as the state of a loop
        } else if (to.opcode() == HloOpcode::kGetTupleElement) {
          // Of a tuple that is itself an element, the rest is looked at.
          if (to.shape().IsTuple()) work.push_back(flow.to);
        } else if (to.opcode() == HloOpcode::kTuple ||
                   (flow.kind == FlowKind::kPass && HandsOnWhole(flow.to))) {
          work.push_back(flow.to);
        } else {
          stays = true;
        }
      });
    }
    return stays;
  }

 private:
  bool IsInlined(ContextId context) const {
    const auto& callers = graph_.contexts()[context].callers;
    return std::all_of(callers.begin(), callers.end(), [&](const auto& site) {
      return graph_.IsInlined(site);
    });
  }
  // What hands a tuple on and is folded away itself.
  bool HandsOnWhole(const OffloadNode& node) {
    const HloOpcode opcode = node.instruction->opcode();
    return opcode != HloOpcode::kGetTupleElement && IsFoldedAway(node);
  }

  const OffloadGraph& graph_;
};

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

// Whether the computation that `instruction` applies to elements (a reducer, a
// comparator) returns something that an annotation in it moved to host.
bool AppliesHostValue(const HloInstruction& instruction) {
  if (HasTrait(instruction.opcode(), kRunsCallee) ||
      instruction.opcode() == HloOpcode::kCustomCall) {
    return false;
  }
  for (const HloComputation* applied : instruction.called_computations()) {
    llvm::DenseSet<const HloInstruction*> on_host;
    for (const HloInstruction& inner : applied->instructions()) {
      const PlacementAnnotation annotation = AnnotationOf(inner);
      const auto operands = inner.operands();
      const bool reads_host = std::any_of(operands.begin(), operands.end(),
                                          [&](const HloInstruction* operand) {
                                            return on_host.count(operand);
                                          });
      if (annotation == PlacementAnnotation::kMoveToHost ||
          (reads_host && annotation != PlacementAnnotation::kMoveToDevice)) {
        on_host.insert(&inner);
      }
    }
    if (on_host.count(&applied->root()) != 0) return true;
  }
  return false;
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
    // Any other number of operands is F4022.
    if (instruction.operands().size() == 1) add_leaves(0, instruction.shape());
    return;
  }
  if (AppliesHostValue(instruction)) {
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
  Folding folding(graph);
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
    const bool stays = !folding.IsFoldedAway(flow.to) && !IsPassedOver(flow);
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
  // What a computation applied to elements moves to host leaves the
  // instruction that applies it.
  if (AppliesHostValue(*origin.instruction)) {
    return {{.origin = origin, .start = origin}};
  }
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
