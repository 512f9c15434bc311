// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Finding where walks start: annotations in the compiler's order, and the first
// real consumers of each.
#include <algorithm>
#include <deque>
#include <utility>

#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/offload_walk.h"
#include "ferry/passes/placement_annotation.h"
#include "ferry/passes/user_order.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

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
bool IsPassedOver(const OffloadNode& node) {
  switch (node.instruction->opcode()) {
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
    for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
      if (walk.node().IsTuple()) continue;
      origins.push_back({context, &instruction, first + walk.ordinal()});
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

// The real users of one annotated value, and what is passed over to them.
class StartFinder {
 public:
  StartFinder(const OffloadGraph& graph, const OffloadNode& origin,
              std::vector<PassedOver>& passed_over)
      : graph_(graph),
        origin_(origin),
        folding_(graph),
        passed_over_(passed_over) {}

  std::vector<WalkStart> Find() {
    std::vector<WalkStart> starts;
    // Values of which the users are wanted: the annotation, then what moves no
    // data behind it.
    std::deque<Way> ways = {{origin_, FlowKind::kPass, kNothingPassedOver}};
    while (!ways.empty()) {
      const Way value = ways.front();
      ways.pop_front();
      for (const Way& user : UsersOf(value)) {
        if (IsPassedOver(user.node)) {
          ways.push_back({user.node, user.kind, PassOver(user)});
        } else {
          starts.push_back({.origin = origin_,
                            .passed_over = user.passed_over,
                            .start = user.node,
                            .kind = user.kind});
        }
      }
      // The program's result with nothing in between that the compiler sees.
      for (const Way& root : program_roots_) starts.push_back(AtRoot(root));
      program_roots_.clear();
    }
    return starts;
  }

 private:
  struct Way {
    OffloadNode node;
    FlowKind kind;
    int32_t passed_over;  // the last hop before `node`
  };

  int32_t PassOver(const Way& way) {
    passed_over_.push_back({way.node, way.passed_over});
    return static_cast<int32_t>(passed_over_.size() - 1);
  }

  // As the compiler has them after folding: who reads a folded user comes last
  // in the list, and then the last takes the place of the folded one.
  std::vector<Way> UsersOf(const Way& value) {
    std::vector<Way> users;
    AddReaders(value.node, value.passed_over, users);
    for (size_t i = 0; i < users.size();) {
      const Way user = users[i];
      const bool is_tuple =
          user.node.instruction->opcode() == HloOpcode::kTuple;
      const bool folded = folding_.IsFoldedAway(user.node);
      if (folded) {
        AddReaders(user.node, PassOver(user), users);
        users[i] = users.back();
        users.pop_back();
        continue;
      }
      // Who reads the element of a tuple that stays reads the value as well.
      if (is_tuple) AddElementReaders(user, users);
      ++i;
    }
    return users;
  }

  void AddReaders(const OffloadNode& node, int32_t passed_over,
                  std::vector<Way>& users) {
    graph_.ForEachFlow(node, [&](const OffloadFlow& flow) {
      if (flow.kind != FlowKind::kBackEdge &&
          seen_.insert(graph_.IdOf(flow.to)).second) {
        users.push_back({flow.to, flow.kind, passed_over});
      }
    });
    if (node.context == 0 && node.instruction->IsRoot()) {
      program_roots_.push_back({node, FlowKind::kPass, passed_over});
    }
  }

  void AddElementReaders(const Way& tuple, std::vector<Way>& users) {
    const int32_t over_tuple = PassOver(tuple);
    graph_.ForEachFlow(tuple.node, [&](const OffloadFlow& flow) {
      if (flow.to.instruction->opcode() == HloOpcode::kGetTupleElement &&
          seen_.insert(graph_.IdOf(flow.to)).second) {
        users.push_back({flow.to, flow.kind, over_tuple});
      }
    });
  }

  WalkStart AtRoot(const Way& root) const {
    const int32_t last = root.passed_over;
    return {.origin = origin_,
            .passed_over = last == kNothingPassedOver
                               ? kNothingPassedOver
                               : passed_over_[last].before,
            .start = root.node,
            .is_program_root = true};
  }

  const OffloadGraph& graph_;
  const OffloadNode& origin_;
  Folding folding_;
  std::vector<PassedOver>& passed_over_;
  llvm::DenseSet<NodeId> seen_;
  std::vector<Way> program_roots_;
};

}  // namespace

std::vector<OffloadNode> AnnotationsInOrder(const OffloadGraph& graph) {
  std::vector<OffloadNode> annotations;
  llvm::BitVector seen_instructions(graph.module().id_limit());
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
    if (order.empty()) {
      order = PostOrder(
          computation,
          [&](const HloInstruction& instruction) {
            return graph.IsLive(instruction);
          },
          seen_instructions);
    }
    if (stack.back().next == order.size()) {
      stack.pop_back();
      continue;
    }
    const HloInstruction& instruction = *order[stack.back().next++];
    if (!graph.IsLive({context, &instruction, 0})) continue;
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
  // What a computation applied to elements moves to host leaves the
  // instruction that applies it.
  if (AppliesHostValue(*origin.instruction)) {
    return {{.origin = origin, .start = origin}};
  }
  return StartFinder(graph, origin, passed_over).Find();
}

}  // namespace ferry
