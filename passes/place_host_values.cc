// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/place_host_values.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/passes/host_offload_analysis.h"
#include "ferry/passes/leaf_conversion.h"
#include "ferry/passes/offload_graph.h"
#include "ferry/passes/placement_annotation.h"

// First a table of positions says what is on host; nothing changes meanwhile.
// Then shapes are set, in the order of the lists: what only hands values on
// takes the memory of what it hands on, the rest that of the table. Where two
// ways meet in a place that is one of them (loop slots, branches, the root) and
// disagree with it, copies go in between.

namespace ferry {
namespace {

bool IsView(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kReshape ||
         instruction.opcode() == HloOpcode::kBitcast;
}

// Hands on the memory of operand 0 (all operands, for a tuple).
bool HandsOn(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptBarrier:
    case HloOpcode::kDomain:
    case HloOpcode::kAddDependency:
      return true;
    default:
      return false;
  }
}

// Which positions are in host memory.
class HostPositions {
 public:
  HostPositions(const HloModule& module, const HostOffloadAnalysis& analysis)
      : first_(module.id_limit()) {
    for (const HloComputation* computation : module.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        first_[instruction.id()] = is_host_.size();
        for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
          is_host_.push_back(walk.node().IsArray() &&
                             analysis.IsOnHost({&instruction, walk.ordinal()}));
        }
      }
    }
  }

  bool Has(const HloInstruction& instruction, int32_t ordinal = 0) const {
    return is_host_[first_[instruction.id()] + ordinal];
  }
  void Set(const HloInstruction& instruction, int32_t ordinal, bool is_host) {
    is_host_[first_[instruction.id()] + ordinal] = is_host;
  }

 private:
  std::vector<size_t> first_;  // by InstructionId
  std::vector<bool> is_host_;
};

class HostPlacer {
 public:
  HostPlacer(HloModule& module, const OffloadGraph& graph,
             const HostOffloadAnalysis& analysis)
      : module_(module), graph_(graph), host_(module, analysis) {}

  void Run() {
    FindAnnotated();
    FindUpdatedBuffers();
    FindLoopSlots();
    FollowEntryLayout();
    for (HloComputation* computation : module_.computations()) {
      for (HloInstruction& instruction : computation->instructions()) {
        FindFusedTransfers(instruction);
      }
    }
    for (HloComputation* computation : module_.computations()) {
      if (computation->IsFusionBody()) continue;
      SetShapes(*computation);
    }
    for (HloComputation* computation : module_.computations()) {
      if (!computation->IsFusionBody()) Connect(*computation);
    }
    ConnectEntry();
  }

 private:
  // The tracker begins behind an annotation and the views of it.
  void FindAnnotated() {
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        const bool is_moved =
            AnnotationOf(instruction) == PlacementAnnotation::kMoveToHost ||
            (IsView(instruction) && host_.Has(instruction.operand(0)));
        if (is_moved) host_.Set(instruction, 0, true);
      }
    }
  }

  // The tracker leaves out what nobody reads: the result of a loop that only
  // reads what goes in, or what goes on that is only returned.
  void FindLoopSlots() {
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& loop : computation->instructions()) {
        if (loop.opcode() != HloOpcode::kWhile) continue;
        const auto callees = loop.called_computations();
        const HloInstruction* const ends[] = {
            &loop, callees[0]->parameters()[0], callees[1]->parameters()[0]};
        for (int32_t i = 0; i < loop.shape().node_count(); ++i) {
          const bool is_host =
              std::any_of(std::begin(ends), std::end(ends),
                          [&](const auto* end) { return host_.Has(*end, i); });
          if (!is_host) continue;
          for (const HloInstruction* end : ends) host_.Set(*end, i, true);
        }
      }
    }
  }

  // What an update on host writes into is on host, back to where it is made.
  void FindUpdatedBuffers() {
    std::vector<OffloadNode> work;
    for (ContextId context = 0; context < graph_.contexts().size(); ++context) {
      const HloComputation& computation =
          *graph_.contexts()[context].computation;
      for (const HloInstruction& instruction : computation.instructions()) {
        if (instruction.opcode() == HloOpcode::kDynamicUpdateSlice &&
            host_.Has(instruction)) {
          work.push_back({context, &instruction.operand(0), 0});
        }
      }
    }
    while (!work.empty()) {
      const OffloadNode node = work.back();
      work.pop_back();
      if (host_.Has(*node.instruction, node.ordinal)) continue;
      const auto sources = graph_.SourcesOf(node);
      if (sources.empty()) continue;
      host_.Set(*node.instruction, node.ordinal, true);
      work.insert(work.end(), sources.begin(), sources.end());
    }
  }

  void FollowEntryLayout() {
    const EntryLayout& layout = module_.entry_layout();
    const auto parameters = module_.entry().parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Shape& declared = layout.result == nullptr ? parameters[i]->shape()
                                                       : *layout.parameters[i];
      for (ShapeWalk walk(declared); !walk.AtEnd(); walk.Next()) {
        host_.Set(*parameters[i], walk.ordinal(), walk.node().IsHostArray());
      }
    }
  }

  // Transfers that slices and updates make themselves.
  void FindFusedTransfers(HloInstruction& instruction) {
    const PlacementAnnotation annotation = AnnotationOf(instruction);
    if (annotation == PlacementAnnotation::kMoveToHost) {
      FindFusedUpdate(instruction);
    } else if (annotation == PlacementAnnotation::kMoveToDevice) {
      FindFusedSlice(instruction);
    }
  }

  // The value, and views of it, if updates on host are all that read them.
  void FindFusedUpdate(HloInstruction& annotation) {
    std::vector<HloInstruction*> views = {&annotation};
    for (size_t next = 0; next < views.size(); ++next) {
      if (views[next]->IsRoot() || views[next]->users().empty()) return;
      for (HloInstruction* user : views[next]->users()) {
        const bool is_written =
            user->opcode() == HloOpcode::kDynamicUpdateSlice &&
            &user->operand(1) == views[next] &&
            &user->operand(0) != views[next] && host_.Has(*user);
        if (is_written) continue;
        if (!IsView(*user)) return;
        views.push_back(user);
      }
    }
    for (HloInstruction* view : views) host_.Set(*view, 0, false);
  }

  // The slice of a host value behind views that lead here alone.
  void FindFusedSlice(HloInstruction& annotation) {
    std::vector<HloInstruction*> path;
    HloInstruction* value = &annotation.operand(0);
    while (IsView(*value) && value->users().size() == 1) {
      path.push_back(value);
      value = &value->operand(0);
    }
    const bool is_slice = value->opcode() == HloOpcode::kDynamicSlice ||
                          value->opcode() == HloOpcode::kSlice;
    if (!is_slice || value->users().size() != 1 ||
        !host_.Has(value->operand(0))) {
      return;
    }
    path.push_back(value);
    for (HloInstruction* view : path) host_.Set(*view, 0, false);
  }

  const Shape& ShapeByTable(const HloInstruction& instruction) {
    return module_.context().MapLeaves(
        instruction.shape(),
        [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
          if (!leaf.IsArray()) return leaf;
          const bool is_host = host_.Has(instruction, ordinal);
          if (is_host == leaf.IsHostArray()) return leaf;
          return module_.context().WithMemorySpace(
              leaf, is_host ? MemorySpace::kHost : MemorySpace::kDefault);
        });
  }

  const Shape& ShapeHandedOn(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kTuple: {
        std::vector<const Shape*> elements;
        for (const HloInstruction* operand : instruction.operands()) {
          elements.push_back(&operand->shape());
        }
        return module_.context().GetTupleShape(elements);
      }
      case HloOpcode::kGetTupleElement:
        return *instruction.operand(0)
                    .shape()
                    .tuple_shapes()[instruction.tuple_index()];
      default:
        return instruction.operand(0).shape();
    }
  }

  void SetShapes(HloComputation& computation) {
    std::vector<HloInstruction*> annotations;
    for (HloInstruction& instruction : computation.instructions()) {
      if (HandsOn(instruction)) {
        module_.set_shape(instruction, ShapeHandedOn(instruction));
        continue;
      }
      module_.set_shape(instruction, ShapeByTable(instruction));
      if (AnnotationOf(instruction) != PlacementAnnotation::kNone) {
        annotations.push_back(&instruction);
      }
    }
    for (HloInstruction* annotation : annotations)
      ReplaceAnnotation(*annotation);
  }

  void ReplaceAnnotation(HloInstruction& annotation) {
    HloInstruction& value = annotation.operand(0);
    HloInstruction* replacement = &value;
    // One that declares other sizes is no move.
    if (!value.shape().IsCompatible(annotation.shape())) return;
    if (value.shape().memory_space() != annotation.shape().memory_space()) {
      replacement = &AddCopy(module_, value, annotation.shape(), &annotation);
      const absl::string_view metadata =
          annotation.attribute(HloAttributeKind::kMetadata);
      if (!metadata.empty()) {
        module_.SetAttribute(*replacement, HloAttributeKind::kMetadata,
                             metadata);
      }
    }
    module_.ReplaceAllUses(annotation, *replacement);
    module_.RemoveInstruction(annotation);
  }

  // A broadcast or constant that goes to host is not made on the device first.
  HloInstruction& Move(HloInstruction& leaf, const Shape& target,
                       HloInstruction* before) {
    const bool is_fill = leaf.opcode() == HloOpcode::kBroadcast &&
                         target.IsHostArray() && !leaf.shape().IsHostArray();
    if (!is_fill) return AddCopy(module_, leaf, target, before);
    static constexpr HloAttribute kTarget[] = {
        {HloAttributeKind::kCustomCallTarget, "\"AllocateBuffer\""}};
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kCustomCall;
    spec.name = module_.UniqueName("allocate-buffer");
    spec.shape = &target;
    spec.attributes = kTarget;
    return module_.AddInstruction(leaf.parent(), spec, before);
  }

  // `shape` in the memories of `spaces`, which has the same tree.
  const Shape& InMemoriesOf(const Shape& shape, const Shape& spaces) {
    std::vector<MemorySpace> wanted;
    for (ShapeWalk walk(spaces); !walk.AtEnd(); walk.Next()) {
      wanted.push_back(walk.node().memory_space());
    }
    return module_.context().MapLeaves(
        shape, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
          if (!leaf.IsArray() || leaf.memory_space() == wanted[ordinal]) {
            return leaf;
          }
          return module_.context().WithMemorySpace(leaf, wanted[ordinal]);
        });
  }

  void MoveOperand(HloInstruction& user, int64_t operand, const Shape& spaces) {
    const Shape& target = InMemoriesOf(user.operand(operand).shape(), spaces);
    ConvertOperand(module_, user, operand, target,
                   [&](HloInstruction& leaf, const Shape& shape,
                       HloInstruction* before) -> HloInstruction& {
                     return Move(leaf, shape, before);
                   });
  }

  void MoveRoot(HloComputation& computation, const Shape& spaces) {
    const Shape& target = InMemoriesOf(computation.root().shape(), spaces);
    ConvertRoot(module_, computation, target,
                [&](HloInstruction& leaf, const Shape& shape,
                    HloInstruction* before) -> HloInstruction& {
                  return Move(leaf, shape, before);
                });
  }

  void Connect(HloComputation& computation) {
    std::vector<HloInstruction*> instructions;
    for (HloInstruction& instruction : computation.instructions()) {
      instructions.push_back(&instruction);
    }
    for (HloInstruction* instruction : instructions) {
      const auto callees = instruction->called_computations();
      switch (instruction->opcode()) {
        case HloOpcode::kWhile:
          MoveOperand(*instruction, 0, instruction->shape());
          MoveRoot(*callees[1], instruction->shape());
          break;
        case HloOpcode::kConditional:
          for (size_t i = 0; i < callees.size(); ++i) {
            MoveOperand(*instruction, i + 1,
                        callees[i]->parameters()[0]->shape());
            MoveRoot(*callees[i], instruction->shape());
          }
          break;
        case HloOpcode::kDynamicUpdateSlice:
          MoveOperand(*instruction, 0, instruction->shape());
          break;
        default:
          break;
      }
    }
  }

  void ConnectEntry() {
    const EntryLayout& layout = module_.entry_layout();
    if (layout.result != nullptr) MoveRoot(module_.entry(), *layout.result);
  }

  HloModule& module_;
  const OffloadGraph& graph_;
  HostPositions host_;
};

}  // namespace

absl::StatusOr<bool> PlaceHostValues::Run(HloModule& module,
                                          PassContext& context) {
  FERRY_ASSIGN_OR_RETURN(const HostOffloadAnalysis analysis,
                         HostOffloadAnalysis::Run(module, context));
  if (analysis.stage() != OffloadStage::kBefore) return false;
  FERRY_ASSIGN_OR_RETURN(const OffloadGraph graph, OffloadGraph::Build(module));
  HostPlacer(module, graph, analysis).Run();
  return true;
}

}  // namespace ferry
