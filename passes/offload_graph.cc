// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Building: live instructions by walking operands back from roots and side
// effects; contexts by walking calls forward from the entry, breadth first.
#include "ferry/passes/offload_graph.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/passes/placement_annotation.h"
#include "ferry/passes/user_order.h"

namespace ferry {
namespace {

// How much larger than the module the graph may become before contexts of one
// computation are shared: a small module may grow freely, a large one only by
// a factor.
constexpr uint64_t kFreeNodes = uint64_t{1} << 20;
constexpr uint64_t kGrowthFactor = 8;

constexpr ContextId kNoContext = std::numeric_limits<ContextId>::max();

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
  graph.FindCalledInstructions();
  if (absl::Status status = graph.AddContexts(); !status.ok()) return status;
  graph.FindLiveNodes();
  graph.FindCarriedNodes();
  return graph;
}

// Instructions that roots or side effects need, whichever elements of tuples
// they need: calls among them get contexts.
void OffloadGraph::FindCalledInstructions() {
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
        if (!facts_.MayRun(*caller, role)) {
          callees.push_back(kNoContext);
          continue;
        }
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
  const ContextId callee = found->second[role];
  if (callee == kNoContext) return std::nullopt;
  return callee;
}

// Backwards from the program's result and from side effects, node by node.
void OffloadGraph::FindLiveNodes() {
  live_.reset();
  live_nodes_.resize(node_limit_);
  std::vector<OffloadNode> work;
  const auto need = [&](const OffloadNode& node) {
    const NodeId id = IdOf(node);
    if (live_nodes_.test(id)) return;
    live_nodes_.set(id);
    work.push_back(node);
  };
  const auto need_all = [&](ContextId context,
                            const HloInstruction& instruction) {
    for (int32_t node = 0; node < instruction.shape().node_count(); ++node) {
      need({context, &instruction, node});
    }
  };
  need_all(0, module_->entry().root());
  for (ContextId context = 0; context < contexts_.size(); ++context) {
    for (const HloInstruction& instruction :
         contexts_[context].computation->instructions()) {
      if (HasSideEffect(instruction)) need_all(context, instruction);
    }
  }
  while (!work.empty()) {
    const OffloadNode node = work.back();
    work.pop_back();
    const HloInstruction& instruction = *node.instruction;
    need({node.context, &instruction, 0});
    live_.set(instruction.id());
    for (const auto& site : contexts_[node.context].callers) {
      need({site.context, site.instruction, 0});
    }
    if (node.ordinal == 0) {
      for (const HloInstruction* before : instruction.control_predecessors()) {
        need_all(node.context, *before);
      }
      if (instruction.opcode() == HloOpcode::kWhile) {
        if (const auto condition =
                CalleeContext(node.context, instruction, 0)) {
          need_all(*condition, contexts_[*condition].computation->root());
        }
      } else if (instruction.opcode() == HloOpcode::kConditional) {
        need_all(node.context, instruction.operand(0));
      }
    }
    const auto sources = SourcesOf(node);
    for (const OffloadNode& source : sources) need(source);
    const bool only_hands_on =
        !sources.empty() &&
        instruction.opcode() != HloOpcode::kDynamicUpdateSlice;
    if (only_hands_on || instruction.opcode() == HloOpcode::kTuple) continue;
    for (const HloInstruction* operand : instruction.operands()) {
      need_all(node.context, *operand);
    }
  }
}

bool OffloadGraph::OnlyCarries(const OffloadNode& node) const {
  return facts_.RunsOf(*node.instruction) == LoopRuns::kNever ||
         (!carried_.empty() && carried_.test(IdOf(node)));
}

// Elements of which the body reads nothing but to put it into its own place.
void OffloadGraph::FindCarriedNodes() {
  llvm::BitVector carried(node_limit_);
  for (ContextId body = 0; body < contexts_.size(); ++body) {
    const auto& callers = contexts_[body].callers;
    if (callers.size() != 1 || callers[0].role != 1 ||
        callers[0].instruction->opcode() != HloOpcode::kWhile) {
      continue;
    }
    const HloInstruction& loop = *callers[0].instruction;
    const HloInstruction& root = contexts_[body].computation->root();
    const auto condition = CalleeContext(callers[0].context, loop, 0);
    if (root.opcode() != HloOpcode::kTuple || !condition.has_value()) continue;
    for (int32_t leaf = 1; leaf < loop.shape().node_count(); ++leaf) {
      const OffloadNode state = {
          body, contexts_[body].computation->parameters()[0], leaf};
      const OffloadNode tested = {
          *condition, contexts_[*condition].computation->parameters()[0], leaf};
      if (OnlyReturns(state, {body, &root, leaf}) && !IsRead(tested)) {
        carried.set(IdOf({callers[0].context, &loop, leaf}));
      }
    }
  }
  carried_ = std::move(carried);
}

bool OffloadGraph::IsRead(const OffloadNode& node) const {
  bool read = false;
  ForEachFlow(node, [&](const OffloadFlow&) { read = true; });
  return read;
}

// Whether `state` goes to `place` through get-tuple-elements, and nowhere else.
bool OffloadGraph::OnlyReturns(const OffloadNode& state,
                               const OffloadNode& place) const {
  std::vector<OffloadNode> work = {state};
  bool returns = false;
  bool strays = false;
  while (!work.empty() && !strays) {
    const OffloadNode node = work.back();
    work.pop_back();
    ForEachFlow(node, [&](const OffloadFlow& flow) {
      if (flow.to == place) {
        returns = true;
      } else if (flow.to.instruction->opcode() == HloOpcode::kGetTupleElement) {
        work.push_back(flow.to);
      } else {
        strays = true;
      }
    });
  }
  return returns && !strays;
}

}  // namespace ferry
