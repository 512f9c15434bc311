// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Building: live instructions by walking operands back from roots and side
// effects; contexts by walking calls forward from the entry, breadth first.
#include "ferry/passes/offload_graph.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "ferry/passes/placement_annotation.h"

namespace ferry {
namespace {

// How much larger than the module the graph may become before contexts of one
// computation are shared: a small module may grow freely, a large one only by
// a factor.
constexpr uint64_t kFreeNodes = uint64_t{1} << 20;
constexpr uint64_t kGrowthFactor = 8;

bool HasSideEffect(const HloInstruction& instruction) {
  if (HasTrait(instruction.opcode(), kHasSideEffect)) return true;
  // Frameworks mark annotations so, and compilers drop the mark.
  return instruction.attribute(HloAttributeKind::kCustomCallHasSideEffect) ==
             "true" &&
         AnnotationOf(instruction) == PlacementAnnotation::kNone;
}

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
             AnnotationOf(user) == PlacementAnnotation::kUnknown;
    default:
      return IsCollectiveOfOne(user);
  }
}

// Operations that only arrange values, whether marked for the host or not.
bool IsArrangement(HloOpcode opcode) {
  return opcode == HloOpcode::kTuple || opcode == HloOpcode::kGetTupleElement ||
         opcode == HloOpcode::kAsyncDone || opcode == HloOpcode::kAsyncUpdate;
}

}  // namespace

absl::StatusOr<OffloadGraph> OffloadGraph::Build(const HloModule& module) {
  OffloadGraph graph(module);
  graph.local_node_.resize(module.id_limit());
  graph.in_order_.resize(module.computations().size());
  for (const HloComputation* computation : module.computations()) {
    NodeId next = 0;
    auto& in_order = graph.in_order_[computation->id()];
    for (const HloInstruction& instruction : computation->instructions()) {
      graph.local_node_[instruction.id()] = next;
      next += instruction.shape().node_count();
      in_order.push_back(&instruction);
    }
  }
  graph.FindLiveInstructions();
  if (absl::Status status = graph.AddContexts(); !status.ok()) return status;
  return graph;
}

void OffloadGraph::FindLiveInstructions() {
  live_.resize(module_->id_limit());
  std::vector<bool> has_effect(module_->computations().size());
  std::vector<const HloInstruction*> work;
  // Callees stand before callers, so their effects are known.
  for (const HloComputation* computation : module_->computations()) {
    work.push_back(&computation->root());
    for (const HloInstruction& instruction : computation->instructions()) {
      bool effect = HasSideEffect(instruction);
      for (const HloComputation* callee : instruction.called_computations()) {
        effect |= has_effect[callee->id()];
      }
      if (!effect) continue;
      has_effect[computation->id()] = true;
      work.push_back(&instruction);
    }
  }
  while (!work.empty()) {
    const HloInstruction& instruction = *work.back();
    work.pop_back();
    if (live_.test(instruction.id())) continue;
    live_.set(instruction.id());
    work.insert(work.end(), instruction.operands().begin(),
                instruction.operands().end());
    work.insert(work.end(), instruction.control_predecessors().begin(),
                instruction.control_predecessors().end());
  }
}

absl::Status OffloadGraph::AddContexts() {
  std::vector<uint64_t> size(module_->computations().size());
  uint64_t module_nodes = 0;
  for (const HloComputation* computation : module_->computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      size[computation->id()] += instruction.shape().node_count();
    }
    module_nodes += size[computation->id()];
  }
  const uint64_t limit =
      std::min<uint64_t>(std::numeric_limits<NodeId>::max() - module_nodes,
                         std::max(kFreeNodes, kGrowthFactor * module_nodes));

  uint64_t nodes = 0;
  const auto add = [&](const HloComputation& computation) {
    contexts_.push_back({&computation, {}, static_cast<NodeId>(nodes)});
    nodes += size[computation.id()];
    return static_cast<ContextId>(contexts_.size() - 1);
  };
  // The one context that all further calls of a computation come into, once
  // the graph has reached its limit.
  llvm::DenseMap<const HloComputation*, ContextId> shared;

  add(module_->entry());
  for (ContextId context = 0; context < contexts_.size(); ++context) {
    const HloComputation& computation = *contexts_[context].computation;
    for (const HloInstruction* caller : in_order_[computation.id()]) {
      if (!HasTrait(caller->opcode(), kRunsCallee) || !IsLive(*caller) ||
          IsMarkedHostCompute(*caller)) {
        continue;
      }
      auto& callees = callees_[{context, caller->id()}];
      const auto called = caller->called_computations();
      for (size_t role = 0; role < called.size(); ++role) {
        const HloComputation& callee = *called[role];
        if (callee.id() >= computation.id()) {
          return absl::FailedPreconditionError(
              absl::StrCat("computation `", callee.name(), "` calls itself"));
        }
        ContextId into;
        if (nodes + size[callee.id()] <= limit) {
          into = add(callee);
        } else {
          auto [found, is_new] = shared.try_emplace(&callee, 0);
          if (is_new) {
            found->second = add(callee);
            shared_.push_back(&callee);
          }
          into = found->second;
        }
        contexts_[into].callers.push_back(
            {context, caller, static_cast<int32_t>(role)});
        callees.push_back(into);
      }
    }
  }
  node_limit_ = nodes;
  return absl::OkStatus();
}

OffloadNode OffloadGraph::NodeOf(NodeId id) const {
  const auto context =
      std::upper_bound(contexts_.begin(), contexts_.end(), id,
                       [](NodeId node, const OffloadContext& context) {
                         return node < context.first_node;
                       }) -
      1;
  const NodeId local = id - context->first_node;
  const auto& in_order = in_order_[context->computation->id()];
  const auto instruction =
      std::upper_bound(in_order.begin(), in_order.end(), local,
                       [&](NodeId node, const HloInstruction* instruction) {
                         return node < local_node_[instruction->id()];
                       }) -
      1;
  return {static_cast<ContextId>(context - contexts_.begin()), *instruction,
          static_cast<int32_t>(local - local_node_[(*instruction)->id()])};
}

std::optional<ContextId> OffloadGraph::CalleeContext(
    ContextId context, const HloInstruction& instruction, int32_t role) const {
  const auto found = callees_.find({context, instruction.id()});
  if (found == callees_.end()) return std::nullopt;
  return found->second[role];
}

void OffloadGraph::ForEachFlow(
    const OffloadNode& node,
    llvm::function_ref<void(const OffloadFlow&)> visit) const {
  uses_.ForEachUser(*node.instruction, node.ordinal,
                    [&](const HloInstruction& user) {
                      if (IsLive(user)) ForEachUse(node, user, visit);
                    });
  if (node.instruction->IsRoot()) ForEachRootFlow(node, visit);
}

void OffloadGraph::ForEachUse(
    const OffloadNode& node, const HloInstruction& user,
    llvm::function_ref<void(const OffloadFlow&)> visit) const {
  const auto operands = user.operands();
  const auto flow = [&](int32_t ordinal, FlowKind kind, int64_t operand) {
    // Annotations and kernels may declare what they like.
    if (ordinal >= user.shape().node_count()) return;
    visit({{node.context, &user, ordinal}, kind, operand});
  };
  const auto flow_to_callee = [&](int32_t role, int64_t parameter,
                                  int64_t operand) {
    const auto into = CalleeContext(node.context, user, role);
    if (!into.has_value()) return;
    const auto parameters = contexts_[*into].computation->parameters();
    if (parameter >= static_cast<int64_t>(parameters.size())) return;
    visit({{*into, parameters[parameter], node.ordinal},
           FlowKind::kPass,
           operand});
  };
  const auto for_each_operand_place = [&](auto&& act) {
    uses_.ForEachPlace(user, *node.instruction, act);
  };

  if (!IsArrangement(user.opcode()) && IsMarkedHostCompute(user)) {
    flow(0, FlowKind::kHostCall, 0);
    return;
  }
  switch (user.opcode()) {
    case HloOpcode::kTuple:
      for_each_operand_place([&](int64_t i) {
        flow(user.shape().ElementOrdinal(i) + node.ordinal, FlowKind::kPass, i);
      });
      return;
    case HloOpcode::kGetTupleElement:
      if (const auto inside = InElement(node.instruction->shape(),
                                        user.tuple_index(), node.ordinal)) {
        flow(*inside, FlowKind::kPass, 0);
      }
      return;
    case HloOpcode::kAsyncDone:
      if (const auto inside =
              InElement(node.instruction->shape(), 1, node.ordinal)) {
        flow(*inside, FlowKind::kPass, 0);
      }
      return;
    case HloOpcode::kCall:
    case HloOpcode::kAsyncStart:
      for_each_operand_place([&](int64_t i) { flow_to_callee(0, i, i); });
      return;
    case HloOpcode::kWhile:  // called: condition, body
      flow_to_callee(1, 0, 0);
      flow_to_callee(0, 0, 0);
      return;
    case HloOpcode::kConditional:
      for_each_operand_place([&](int64_t i) {
        if (i == 0) {
          flow(0, FlowKind::kPredicate, 0);
        } else {
          flow_to_callee(i - 1, 0, i);
        }
      });
      return;
    case HloOpcode::kDynamicUpdateSlice:
      for_each_operand_place([&](int64_t i) {
        flow(0,
             i == 0   ? FlowKind::kPass
             : i == 1 ? FlowKind::kUpdate
                      : FlowKind::kIndex,
             i);
      });
      return;
    case HloOpcode::kDynamicSlice:
      for_each_operand_place([&](int64_t i) {
        flow(0, i == 0 ? FlowKind::kSlice : FlowKind::kIndex, i);
      });
      return;
    case HloOpcode::kSlice:
      flow(0, FlowKind::kSlice, 0);
      return;
    case HloOpcode::kCopy:
      flow(node.ordinal, FlowKind::kCopy, 0);
      return;
    default:
      break;
  }
  if (PassesOperandZero(user) && operands[0] == node.instruction) {
    flow(node.ordinal, FlowKind::kPass, 0);
    return;
  }
  switch (AnnotationOf(user)) {
    case PlacementAnnotation::kMoveToHost:
      flow(node.ordinal, FlowKind::kMoveToHost, 0);
      return;
    case PlacementAnnotation::kMoveToDevice:
      flow(node.ordinal, FlowKind::kMoveToDevice, 0);
      return;
    default:
      break;
  }
  if (user.opcode() == HloOpcode::kCustomCall) {
    bool aliased = false;
    for (const OutputOperandAlias& alias : ReadOutputOperandAliasing(user)) {
      const auto from =
          operands[alias.operand]->shape().OrdinalOf(alias.operand_index);
      const auto to = user.shape().OrdinalOf(alias.output_index);
      if (operands[alias.operand] != node.instruction || !from || !to) continue;
      const int32_t inside = node.ordinal - *from;
      if (inside < 0 || inside >= user.shape().NodeAt(*to).node_count()) {
        continue;
      }
      aliased = true;
      flow(*to + inside, FlowKind::kPass, alias.operand);
    }
    if (!aliased) flow(0, FlowKind::kOpaque, 0);
    return;
  }
  // Anything else computes, and everything that it makes follows.
  for (int32_t ordinal = 0; ordinal < user.shape().node_count(); ++ordinal) {
    if (!user.shape().NodeAt(ordinal).IsTuple()) {
      flow(ordinal, FlowKind::kCompute, 0);
    }
  }
}

void OffloadGraph::ForEachRootFlow(
    const OffloadNode& node,
    llvm::function_ref<void(const OffloadFlow&)> visit) const {
  for (const auto& site : contexts_[node.context].callers) {
    const HloInstruction& caller = *site.instruction;
    const auto to_result = [&](int32_t ordinal, FlowKind kind) {
      visit({{site.context, &caller, ordinal}, kind, -1});
    };
    switch (caller.opcode()) {
      case HloOpcode::kWhile: {
        if (site.role == 0) {
          to_result(0, FlowKind::kPredicate);
          break;
        }
        to_result(node.ordinal, FlowKind::kPass);
        for (int32_t role : {1, 0}) {
          const auto into = CalleeContext(site.context, caller, role);
          FERRY_CHECK(into.has_value());
          const auto parameters = contexts_[*into].computation->parameters();
          visit(
              {{*into, parameters[0], node.ordinal}, FlowKind::kBackEdge, -1});
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
      llvm::SmallVector<OffloadNode, 2> sources = {
          {node.context, &instruction.operand(0), node.ordinal}};
      sources.append(root_of(1, node.ordinal));
      return sources;
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
