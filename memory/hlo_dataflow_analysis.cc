// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// One walk over the instructions of each computation, operands before users,
// gives each position a node: a new one where a value is made or ways may meet,
// else that of the position from which it comes. A second walk tells PhiGraph
// what arrives at the meeting points. The nodes that remain are the values.

#include "ferry/memory/hlo_dataflow_analysis.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/phi_graph.h"

namespace ferry {

class DataflowBuilder {
 public:
  DataflowBuilder(const HloModule& module, HloDataflowAnalysis& out)
      : module_(module), out_(out) {}

  absl::Status Build() {
    out_.module_ = &module_;
    out_.storage_ = FindComputationStorage(module_);
    if (!NumberPositions()) {
      return absl::ResourceExhaustedError(
          "the module has more than 2^31 positions");
    }
    ForEachInstruction([this](const HloInstruction& i) { Define(i); });
    ResolvePhis();
    NumberValues();
    CollectPositions();
    CollectUses();
    return absl::OkStatus();
  }

 private:
  using PositionId = HloDataflowAnalysis::PositionId;
  using NodeId = uint32_t;

  template <typename Visit>
  void ForEachInstruction(Visit visit) {
    for (const HloComputation* computation : module_.computations()) {
      const ComputationStorage storage = out_.storage_[computation->id()];
      if (storage != ComputationStorage::kGlobal &&
          storage != ComputationStorage::kThreadLocal) {
        continue;
      }
      for (const HloInstruction& instruction : computation->instructions()) {
        visit(instruction);
      }
    }
  }

  bool NumberPositions() {
    out_.first_.assign(module_.id_limit(), HloDataflowAnalysis::kNone);
    uint64_t count = 0;
    ForEachInstruction([&](const HloInstruction& instruction) {
      out_.first_[instruction.id()] = static_cast<PositionId>(count);
      count += instruction.shape().node_count();
    });
    if (count > INT32_MAX) return false;
    out_.instructions_.resize(count);
    ForEachInstruction([&](const HloInstruction& instruction) {
      std::fill_n(out_.instructions_.begin() + out_.first_[instruction.id()],
                  instruction.shape().node_count(), instruction.id());
    });
    out_.values_.assign(count, 0);
    return true;
  }

  PositionId At(const HloInstruction& instruction, int32_t ordinal = 0) const {
    return out_.first_[instruction.id()] + ordinal;
  }

  // --- What each opcode makes and forwards.

  void New(PositionId position, bool may_meet) {
    out_.values_[position] = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({position, may_meet});
  }

  // Nodes [ordinal, ordinal + count) are made here, or are meeting points.
  void NewNodes(const HloInstruction& instruction, int32_t ordinal,
                int32_t count, bool may_meet = false) {
    for (int32_t i = 0; i < count; ++i) {
      New(At(instruction, ordinal + i), may_meet);
    }
  }
  void NewAll(const HloInstruction& instruction, bool may_meet = false) {
    NewNodes(instruction, 0, instruction.shape().node_count(), may_meet);
  }

  // The subtree `to` of `instruction` is the subtree `from` of `source`, which
  // has `count` nodes. Trees that differ (the verifier rejects them) share
  // nothing.
  void Forward(const HloInstruction& instruction, int32_t to,
               const Shape& to_shape, const HloInstruction& source,
               int32_t from, const Shape& from_shape) {
    const int32_t count = to_shape.node_count();
    if (count != from_shape.node_count()) {
      NewNodes(instruction, to, count);
      return;
    }
    std::copy_n(out_.values_.begin() + At(source, from), count,
                out_.values_.begin() + At(instruction, to));
  }
  void ForwardAll(const HloInstruction& instruction,
                  const HloInstruction& source) {
    Forward(instruction, 0, instruction.shape(), source, 0, source.shape());
  }
  // All of `instruction` is the tuple element `element` of its operand.
  void ForwardElement(const HloInstruction& instruction, int64_t element) {
    const HloInstruction& source = instruction.operand(0);
    if (element < 0 || !source.shape().IsTuple() ||
        element >= static_cast<int64_t>(source.shape().tuple_shapes().size())) {
      NewAll(instruction);
      return;
    }
    Forward(instruction, 0, instruction.shape(), source,
            source.shape().ElementOrdinal(element),
            *source.shape().tuple_shapes()[element]);
  }

  // The table is new, and the elements, but for element `forwarded`, which is
  // the operand or, if it is a tuple itself, has a new table and the operands
  // as elements.
  void DefineStart(const HloInstruction& instruction, size_t forwarded) {
    const Shape& shape = instruction.shape();
    New(At(instruction), false);
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      const Shape& element = *shape.tuple_shapes()[i];
      const int32_t ordinal = shape.ElementOrdinal(i);
      if (i == forwarded) {
        ForwardOperands(instruction, ordinal, element);
      } else {
        NewNodes(instruction, ordinal, element.node_count());
      }
    }
  }
  void ForwardOperands(const HloInstruction& instruction, int32_t ordinal,
                       const Shape& element) {
    const auto operands = instruction.operands();
    if (operands.empty()) {
      NewNodes(instruction, ordinal, element.node_count());
    } else if (!element.IsTuple()) {
      Forward(instruction, ordinal, element, *operands[0], 0,
              operands[0]->shape());
    } else {
      ForwardOperandTuple(instruction, ordinal, element);
    }
  }
  void ForwardOperandTuple(const HloInstruction& instruction, int32_t ordinal,
                           const Shape& tuple) {
    New(At(instruction, ordinal), false);
    for (size_t i = 0; i < tuple.tuple_shapes().size(); ++i) {
      const Shape& shape = *tuple.tuple_shapes()[i];
      const int32_t at = ordinal + tuple.ElementOrdinal(i);
      if (i < instruction.operands().size()) {
        Forward(instruction, at, shape, instruction.operand(i), 0,
                instruction.operand(i).shape());
      } else {
        NewNodes(instruction, at, shape.node_count());
      }
    }
  }

  // Tables are new; element 1 is what the callee gives, element 0 the operands.
  void DefineAsyncStart(const HloInstruction& instruction) {
    const Shape& shape = instruction.shape();
    New(At(instruction), false);
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      const Shape& element = *shape.tuple_shapes()[i];
      const int32_t ordinal = shape.ElementOrdinal(i);
      if (i == 0) {
        if (element.IsTuple()) {
          ForwardOperandTuple(instruction, ordinal, element);
        } else {
          ForwardOperands(instruction, ordinal, element);
        }
      } else if (i == 1) {
        for (ShapeWalk walk(element); !walk.AtEnd(); walk.Next()) {
          New(At(instruction, ordinal + walk.ordinal()),
              /*may_meet=*/!walk.node().IsTuple());
        }
      } else {
        NewNodes(instruction, ordinal, element.node_count());
      }
    }
  }

  // As `ForwardAll` or `ForwardElement` have it, with tables of its own.
  void RenewTables(const HloInstruction& instruction) {
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      if (walk.node().IsTuple()) New(At(instruction, walk.ordinal()), false);
    }
  }

  void Define(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kBitcast:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
      case HloOpcode::kOptBarrier:
      case HloOpcode::kAllReduceDone:
        return ForwardAll(instruction, instruction.operand(0));
      case HloOpcode::kGetTupleElement:
        return ForwardElement(instruction, instruction.tuple_index());
      case HloOpcode::kCopyDone:
        return ForwardElement(instruction, 0);
      case HloOpcode::kAllGatherDone:
      case HloOpcode::kCollectivePermuteDone:
        return ForwardElement(instruction, 1);
      case HloOpcode::kTuple:
        return ForwardOperandTuple(instruction, 0, instruction.shape());
      case HloOpcode::kCopy:
        if (!instruction.shape().IsTuple()) return NewAll(instruction);
        ForwardAll(instruction, instruction.operand(0));
        return New(At(instruction), false);
      case HloOpcode::kCopyStart:
        return DefineStart(instruction, 1);
      case HloOpcode::kSend:
      case HloOpcode::kAllGatherStart:
      case HloOpcode::kCollectivePermuteStart:
        return DefineStart(instruction, 0);
      case HloOpcode::kRecvDone:
        return DefineRecvDone(instruction);
      case HloOpcode::kAsyncStart:
        return DefineAsyncStart(instruction);
      case HloOpcode::kAsyncUpdate:
        ForwardAll(instruction, instruction.operand(0));
        return RenewTables(instruction);
      case HloOpcode::kAsyncDone:
        ForwardElement(instruction, 1);
        return RenewTables(instruction);
      case HloOpcode::kCall:
      case HloOpcode::kWhile:
      case HloOpcode::kConditional:
        return NewAll(instruction, /*may_meet=*/true);
      case HloOpcode::kParameter:
        return NewAll(instruction, !instruction.parent().IsEntry() &&
                                       out_.StorageOf(instruction.parent()) ==
                                           ComputationStorage::kGlobal);
      default:
        return NewAll(instruction);
    }
  }

  void DefineRecvDone(const HloInstruction& instruction) {
    const Shape& shape = instruction.shape();
    const HloInstruction& recv = instruction.operand(0);
    if (!shape.IsTuple() || shape.tuple_shapes().empty() ||
        !recv.shape().IsTuple() || recv.shape().tuple_shapes().empty()) {
      return NewAll(instruction);
    }
    const Shape& data = *shape.tuple_shapes()[0];
    New(At(instruction), false);
    Forward(instruction, 1, data, recv, 1, *recv.shape().tuple_shapes()[0]);
    const int32_t rest = 1 + data.node_count();
    NewNodes(instruction, rest, shape.node_count() - rest);
  }

  // --- What arrives at meeting points.

  // The subtree at `to`, of `count` nodes, gets what the whole of `source` has,
  // node by node. Trees that differ share nothing.
  void Join(PhiGraph& graph, PositionId to, int32_t count,
            const HloInstruction& source) {
    if (count != source.shape().node_count()) return;
    for (int32_t i = 0; i < count; ++i) {
      const NodeId phi = out_.values_[to + i];
      if (nodes_[phi].may_meet && nodes_[phi].position == to + i) {
        graph.AddInput(phi, out_.values_[At(source, i)]);
      }
    }
  }
  void JoinAll(PhiGraph& graph, const HloInstruction& instruction,
               const HloInstruction& source) {
    Join(graph, At(instruction), instruction.shape().node_count(), source);
  }
  void JoinParameter(PhiGraph& graph, const HloComputation& callee,
                     size_t parameter, const HloInstruction& source) {
    if (parameter >= callee.parameters().size()) return;
    JoinAll(graph, *callee.parameters()[parameter], source);
  }

  void JoinCallees(PhiGraph& graph, const HloInstruction& caller) {
    if (!HasTrait(caller.opcode(), kRunsCallee)) return;
    if (out_.StorageOf(caller.parent()) != ComputationStorage::kGlobal) {
      // The parameters of what it calls are scratch, but results come back.
      return JoinRoots(graph, caller);
    }
    const auto callees = caller.called_computations();
    for (size_t i = 0; i < callees.size(); ++i) {
      const HloComputation& callee = *callees[i];
      switch (caller.opcode()) {
        case HloOpcode::kWhile:
          JoinParameter(graph, callee, 0, caller.operand(0));
          JoinParameter(graph, callee, 0, callees.back()->root());
          break;
        case HloOpcode::kConditional:
          if (i + 1 < caller.operands().size()) {
            JoinParameter(graph, callee, 0, caller.operand(i + 1));
          }
          break;
        default:
          for (size_t p = 0; p < caller.operands().size(); ++p) {
            JoinParameter(graph, callee, p, caller.operand(p));
          }
      }
    }
    JoinRoots(graph, caller);
  }

  void JoinRoots(PhiGraph& graph, const HloInstruction& caller) {
    const auto callees = caller.called_computations();
    if (callees.empty()) return;
    switch (caller.opcode()) {
      case HloOpcode::kWhile:
        JoinAll(graph, caller, caller.operand(0));
        return JoinAll(graph, caller, callees.back()->root());
      case HloOpcode::kAsyncStart: {
        const Shape& shape = caller.shape();
        if (!shape.IsTuple() || shape.tuple_shapes().size() < 2) return;
        return Join(graph, At(caller, shape.ElementOrdinal(1)),
                    shape.tuple_shapes()[1]->node_count(), callees[0]->root());
      }
      default:
        for (const HloComputation* callee : callees) {
          JoinAll(graph, caller, callee->root());
        }
    }
  }

  void ResolvePhis() {
    PhiGraph graph(static_cast<uint32_t>(nodes_.size()));
    ForEachInstruction([&](const HloInstruction& i) { JoinCallees(graph, i); });
    is_ = graph.Resolve();
    has_input_ = graph.HasInput();
  }

  // --- Tables.

  void NumberValues() {
    std::vector<ValueId> value_of(nodes_.size());
    for (NodeId node = 0; node < nodes_.size(); ++node) {
      // Nodes that a later one replaced stand nowhere.
      if (is_[node] != node || out_.values_[nodes_[node].position] != node) {
        continue;
      }
      value_of[node] = static_cast<ValueId>(out_.definitions_.size());
      out_.definitions_.push_back({nodes_[node].position, has_input_[node]});
    }
    for (ValueId& node : out_.values_) node = value_of[is_[node]];
  }

  static std::vector<uint32_t> StartsOf(std::vector<uint32_t> counts) {
    uint32_t start = 0;
    for (uint32_t& count : counts) start += std::exchange(count, start);
    counts.push_back(start);
    return counts;
  }

  void CollectPositions() {
    std::vector<uint32_t> counts(out_.definitions_.size(), 0);
    for (const ValueId value : out_.values_) ++counts[value];
    out_.position_starts_ = StartsOf(std::move(counts));
    out_.positions_.resize(out_.values_.size());
    std::vector<uint32_t> next(out_.position_starts_.begin(),
                               out_.position_starts_.end() - 1);
    for (ValueId value = 0; value < next.size(); ++value) {
      out_.positions_[next[value]++] = out_.definitions_[value].position;
    }
    for (PositionId p = 0; p < out_.values_.size(); ++p) {
      const ValueId value = out_.values_[p];
      if (out_.definitions_[value].position != p) {
        out_.positions_[next[value]++] = p;
      }
    }
  }

  // How many nodes of each operand the instruction reads.
  static bool ReadsElements(const HloInstruction& user) {
    return user.opcode() != HloOpcode::kGetTupleElement &&
           user.opcode() != HloOpcode::kCopy;
  }
  static bool ReadsNothing(const HloInstruction& user) {
    return (user.opcode() == HloOpcode::kTuple ||
            user.opcode() == HloOpcode::kDomain) &&
           !user.IsRoot();
  }

  template <typename Visit>
  void ForEachUse(Visit visit) {
    ForEachInstruction([&](const HloInstruction& user) {
      if (ReadsNothing(user)) return;
      for (size_t i = 0; i < user.operands().size(); ++i) {
        const HloInstruction& operand = user.operand(i);
        const int32_t count =
            ReadsElements(user) ? operand.shape().node_count() : 1;
        for (int32_t ordinal = 0; ordinal < count; ++ordinal) {
          visit(out_.values_[At(operand, ordinal)],
                HloDataflowAnalysis::Use{user.id(), static_cast<int32_t>(i),
                                         ordinal});
        }
      }
    });
  }

  void CollectUses() {
    std::vector<uint32_t> counts(out_.definitions_.size(), 0);
    ForEachUse([&](ValueId value, const HloDataflowAnalysis::Use&) {
      ++counts[value];
    });
    out_.use_starts_ = StartsOf(std::move(counts));
    out_.uses_.resize(out_.use_starts_.back());
    std::vector<uint32_t> next(out_.use_starts_.begin(),
                               out_.use_starts_.end() - 1);
    ForEachUse([&](ValueId value, const HloDataflowAnalysis::Use& use) {
      out_.uses_[next[value]++] = use;
    });
  }

  struct Node {
    PositionId position;
    bool may_meet;
  };

  const HloModule& module_;
  HloDataflowAnalysis& out_;
  std::vector<Node> nodes_;
  std::vector<NodeId> is_;
  std::vector<bool> has_input_;
};

absl::StatusOr<HloDataflowAnalysis> HloDataflowAnalysis::Run(
    const HloModule& module) {
  HloDataflowAnalysis analysis;
  const absl::Status status = DataflowBuilder(module, analysis).Build();
  if (!status.ok()) return status;
  return analysis;
}

HloValue HloDataflowAnalysis::value(ValueId id) const {
  return {id, definitions_[id].is_phi, PositionAt(definitions_[id].position)};
}

absl::Span<const ValueId> HloDataflowAnalysis::ValuesOf(
    const HloInstruction& instruction) const {
  return absl::MakeConstSpan(values_).subspan(first_[instruction.id()],
                                              instruction.shape().node_count());
}

HloUse HloDataflowAnalysis::use(ValueId id, size_t i) const {
  const Use& use = uses_[use_starts_[id] + i];
  return {module_->instruction(use.instruction), use.operand_number,
          use.operand_ordinal};
}

}  // namespace ferry
