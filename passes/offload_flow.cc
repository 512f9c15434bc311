// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// What each opcode does with a value: forwards, from a node to where its value
// is seen next, and backwards, from a node to where its bytes come from.
#include "ferry/hlo/check.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/passes/offload_graph.h"
#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

using FlowVisitor = llvm::function_ref<void(const OffloadFlow&)>;

// Whether `node` of a tuple-like value is (in) its element `element`, and then
// which node of that element it is.
std::optional<int32_t> InElement(const Shape& shape, int64_t element,
                                 int32_t node) {
  const int32_t first = shape.ElementOrdinal(element);
  const int32_t count = shape.tuple_shapes()[element]->node_count();
  if (node < first || node >= first + count) return std::nullopt;
  return node - first;
}

// Operations that hand operand 0 on as it is.
bool PassesOperandZero(const HloInstruction& user) {
  switch (user.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
    case HloOpcode::kAsyncUpdate:
      return true;
    case HloOpcode::kReshape:
      return IsFreeReshape(user.operand(0).shape(), user.shape());
    case HloOpcode::kCustomCall:
      return IsIdentityCustomCall(user) ||
             (AnnotationOf(user) == PlacementAnnotation::kUnknown &&
              !user.operands().empty());
    default:
      return IsCollectiveOfOne(user);
  }
}

// Operations that only arrange values, whether marked for the host or not.
bool IsArrangement(HloOpcode opcode) {
  return opcode == HloOpcode::kTuple || opcode == HloOpcode::kGetTupleElement ||
         opcode == HloOpcode::kAsyncDone || opcode == HloOpcode::kAsyncUpdate;
}

// One value and one instruction that uses it.
class Use {
 public:
  Use(const OffloadGraph& graph, const UseIndex& uses, const OffloadNode& node,
      const HloInstruction& user, FlowVisitor visit)
      : graph_(graph), uses_(uses), node_(node), user_(user), visit_(visit) {}

  void Visit() {
    if (!IsArrangement(user_.opcode()) && IsMarkedHostCompute(user_)) {
      Flow(0, FlowKind::kHostCall, 0);
    } else if (HasTrait(user_.opcode(), kRunsCallee)) {
      EnterCallees();
    } else if (!Arrange() && !Slice()) {
      PassMoveOrCompute();
    }
  }

 private:
  void Flow(int32_t ordinal, FlowKind kind, int64_t operand) {
    // Annotations and kernels may declare what they like.
    if (ordinal >= user_.shape().node_count()) return;
    Visit({node_.context, &user_, ordinal}, kind, operand);
  }

  // `act` gets each operand number under which the user has the value.
  template <typename Act>
  void ForEachPlace(Act act) {
    uses_.ForEachPlace(user_, *node_.instruction, act);
  }

  void FlowToCallee(int32_t role, int64_t parameter, int64_t operand) {
    const auto into = graph_.CalleeContext(node_.context, user_, role);
    if (!into.has_value()) return;
    const auto parameters = graph_.contexts()[*into].computation->parameters();
    if (parameter >= static_cast<int64_t>(parameters.size())) return;
    Visit({*into, parameters[parameter], node_.ordinal}, FlowKind::kPass,
          operand);
  }

  void Visit(const OffloadNode& to, FlowKind kind, int64_t operand) {
    if (graph_.IsLive(to)) visit_({to, kind, operand});
  }

  void EnterCallees() {
    switch (user_.opcode()) {
      case HloOpcode::kWhile:  // called: condition, body
        if (graph_.OnlyCarries({node_.context, &user_, node_.ordinal})) {
          Flow(node_.ordinal, FlowKind::kPass, 0);
          return;
        }
        FlowToCallee(1, 0, 0);
        FlowToCallee(0, 0, 0);
        return;
      case HloOpcode::kConditional:
        ForEachPlace([&](int64_t i) {
          if (i == 0) {
            if (!graph_.facts().OnlyBranchOf(user_))
              Flow(0, FlowKind::kPredicate, 0);
          } else {
            FlowToCallee(i - 1, 0, i);
          }
        });
        return;
      default:
        ForEachPlace([&](int64_t i) { FlowToCallee(0, i, i); });
        return;
    }
  }

  bool Arrange() {
    const Shape& shape = node_.instruction->shape();
    std::optional<int32_t> inside;
    switch (user_.opcode()) {
      case HloOpcode::kTuple:
        ForEachPlace([&](int64_t i) {
          Flow(user_.shape().ElementOrdinal(i) + node_.ordinal, FlowKind::kPass,
               i);
        });
        return true;
      case HloOpcode::kGetTupleElement:
        inside = InElement(shape, user_.tuple_index(), node_.ordinal);
        break;
      case HloOpcode::kAsyncDone:
        inside = InElement(shape, 1, node_.ordinal);
        break;
      default:
        return false;
    }
    if (inside.has_value()) Flow(*inside, FlowKind::kPass, 0);
    return true;
  }

  bool Slice() {
    switch (user_.opcode()) {
      case HloOpcode::kDynamicUpdateSlice:
        ForEachPlace([&](int64_t i) {
          const FlowKind kind = i == 0   ? FlowKind::kPass
                                : i == 1 ? FlowKind::kUpdate
                                         : FlowKind::kIndex;
          Flow(0, kind, i);
        });
        return true;
      case HloOpcode::kDynamicSlice:
      case HloOpcode::kSlice:
        ForEachPlace([&](int64_t i) {
          Flow(0, i == 0 ? FlowKind::kSlice : FlowKind::kIndex, i);
        });
        return true;
      default:
        return false;
    }
  }

  void PassMoveOrCompute() {
    const PlacementAnnotation annotation = AnnotationOf(user_);
    if (user_.opcode() == HloOpcode::kCopy) {
      Flow(node_.ordinal, FlowKind::kCopy, 0);
    } else if (PassesOperandZero(user_) &&
               &user_.operand(0) == node_.instruction) {
      Flow(node_.ordinal, FlowKind::kPass, 0);
    } else if (annotation == PlacementAnnotation::kMoveToHost) {
      Flow(node_.ordinal, FlowKind::kMoveToHost, 0);
    } else if (annotation == PlacementAnnotation::kMoveToDevice) {
      Flow(node_.ordinal, FlowKind::kMoveToDevice, 0);
      StayInSlot();
    } else if (user_.opcode() == HloOpcode::kCustomCall) {
      CallKernel();
    } else {
      Compute();
    }
  }

  // What a loop brings to the device only to carry it on stays on host.
  void StayInSlot() {
    const auto& callers = graph_.contexts()[node_.context].callers;
    if (callers.size() != 1 || callers[0].role != 1 ||
        callers[0].instruction->opcode() != HloOpcode::kWhile ||
        graph_.IsInlined(callers[0])) {
      return;
    }
    const HloInstruction& root = user_.parent().root();
    if (const auto element = CarriedInPlace(user_)) {
      Visit({node_.context, &root,
             root.shape().ElementOrdinal(*element) + node_.ordinal},
            FlowKind::kPass, *element);
    }
  }

  // A kernel passes on what it writes in place; of the rest nothing is known.
  void CallKernel() {
    bool aliased = false;
    for (const OutputOperandAlias& alias : ReadOutputOperandAliasing(user_)) {
      if (&user_.operand(alias.operand) != node_.instruction) continue;
      const auto from =
          node_.instruction->shape().OrdinalOf(alias.operand_index);
      const auto to = user_.shape().OrdinalOf(alias.output_index);
      if (!from.has_value() || !to.has_value()) continue;
      const int32_t inside = node_.ordinal - *from;
      if (inside < 0 || inside >= user_.shape().NodeAt(*to).node_count()) {
        continue;
      }
      aliased = true;
      Flow(*to + inside, FlowKind::kPass, alias.operand);
    }
    if (!aliased) Flow(0, FlowKind::kOpaque, 0);
  }

  // Everything that is computed from the value follows it.
  void Compute() {
    for (ShapeWalk walk(user_.shape()); !walk.AtEnd(); walk.Next()) {
      if (walk.node().IsTuple()) continue;
      Flow(walk.ordinal(), FlowKind::kCompute, 0);
    }
  }

  const OffloadGraph& graph_;
  const UseIndex& uses_;
  const OffloadNode& node_;
  const HloInstruction& user_;
  FlowVisitor visit_;
};

}  // namespace

void OffloadGraph::ForEachFlow(const OffloadNode& node,
                               FlowVisitor visit) const {
  uses_.ForEachUser(*node.instruction, node.ordinal,
                    [&](const HloInstruction& user) {
                      if (IsLive(user))
                        Use(*this, uses_, node, user, visit).Visit();
                    });
  if (node.instruction->IsRoot()) ForEachRootFlow(node, visit);
}

void OffloadGraph::ForEachRootFlow(const OffloadNode& node,
                                   FlowVisitor visit) const {
  for (const auto& site : contexts_[node.context].callers) {
    const HloInstruction& caller = *site.instruction;
    const auto to_result = [&](int32_t ordinal, FlowKind kind) {
      const OffloadNode result = {site.context, &caller, ordinal};
      if (IsLive(result)) visit({result, kind, -1});
    };
    switch (caller.opcode()) {
      case HloOpcode::kWhile: {
        if (site.role == 0) {
          to_result(0, FlowKind::kPredicate);
          break;
        }
        to_result(node.ordinal, FlowKind::kPass);
        if (IsInlined(site)) break;
        for (int32_t role : {1, 0}) {
          const auto into = CalleeContext(site.context, caller, role);
          FERRY_CHECK(into.has_value());
          const OffloadNode next = {
              *into, contexts_[*into].computation->parameters()[0],
              node.ordinal};
          if (IsLive(next)) visit({next, FlowKind::kBackEdge, -1});
        }
        break;
      }
      case HloOpcode::kAsyncStart:
        to_result(caller.shape().ElementOrdinal(1) + node.ordinal,
                  FlowKind::kPass);
        break;
      default:
        to_result(node.ordinal, FlowKind::kPass);
        break;
    }
  }
}

OffloadNode OffloadGraph::MakerOf(OffloadNode node) const {
  for (auto sources = SourcesOf(node); sources.size() == 1;
       sources = SourcesOf(node)) {
    node = sources[0];
  }
  return node;
}

llvm::SmallVector<OffloadNode, 2> OffloadGraph::SourcesOf(
    const OffloadNode& node) const {
  const HloInstruction& instruction = *node.instruction;
  const auto root_of =
      [&](int32_t role, int32_t ordinal) -> llvm::SmallVector<OffloadNode, 2> {
    const auto callee = CalleeContext(node.context, instruction, role);
    if (!callee.has_value()) return {};
    return {{*callee, &contexts_[*callee].computation->root(), ordinal}};
  };
  switch (instruction.opcode()) {
    case HloOpcode::kTuple: {
      if (node.ordinal == 0) return {};
      const int64_t element = instruction.shape().ElementHolding(node.ordinal);
      return {{node.context, &instruction.operand(element),
               node.ordinal - instruction.shape().ElementOrdinal(element)}};
    }
    case HloOpcode::kGetTupleElement: {
      const HloInstruction& tuple = instruction.operand(0);
      return {{node.context, &tuple,
               tuple.shape().ElementOrdinal(instruction.tuple_index()) +
                   node.ordinal}};
    }
    case HloOpcode::kAsyncDone: {
      const HloInstruction& start = instruction.operand(0);
      return {{node.context, &start,
               start.shape().ElementOrdinal(1) + node.ordinal}};
    }
    case HloOpcode::kAsyncStart: {
      const auto inside = InElement(instruction.shape(), 1, node.ordinal);
      if (!inside.has_value()) return {};
      return root_of(0, *inside);
    }
    case HloOpcode::kCall:
      return root_of(0, node.ordinal);
    case HloOpcode::kWhile: {
      const OffloadNode initial = {node.context, &instruction.operand(0),
                                   node.ordinal};
      if (OnlyCarries(node)) return {initial};
      auto last = root_of(1, node.ordinal);
      if (facts_.IsInlined(instruction)) return last;
      last.insert(last.begin(), initial);
      return last;
    }
    case HloOpcode::kConditional: {
      llvm::SmallVector<OffloadNode, 2> sources;
      const int32_t branches = instruction.called_computations().size();
      for (int32_t branch = 0; branch < branches; ++branch) {
        sources.append(root_of(branch, node.ordinal));
      }
      return sources;
    }
    case HloOpcode::kDynamicUpdateSlice:
      return {{node.context, &instruction.operand(0), node.ordinal}};
    case HloOpcode::kParameter:
      break;
    default:
      if (PassesOperandZero(instruction) &&
          node.ordinal < instruction.operand(0).shape().node_count()) {
        return {{node.context, &instruction.operand(0), node.ordinal}};
      }
      return {};
  }
  llvm::SmallVector<OffloadNode, 2> sources;
  for (const auto& site : contexts_[node.context].callers) {
    const HloInstruction& caller = *site.instruction;
    switch (caller.opcode()) {
      case HloOpcode::kWhile: {
        sources.push_back({site.context, &caller.operand(0), node.ordinal});
        if (IsInlined(site)) break;
        const auto body = CalleeContext(site.context, caller, 1);
        sources.push_back(
            {*body, &contexts_[*body].computation->root(), node.ordinal});
        break;
      }
      case HloOpcode::kConditional:
        sources.push_back(
            {site.context, &caller.operand(site.role + 1), node.ordinal});
        break;
      default:
        sources.push_back({site.context,
                           &caller.operand(instruction.parameter_number()),
                           node.ordinal});
        break;
    }
  }
  return sources;
}

}  // namespace ferry
