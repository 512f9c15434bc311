// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/assign_layouts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/default_layout.h"
#include "ferry/memory/tiled_size.h"
#include "ferry/passes/leaf_conversion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

// Positions that must have one order are joined into groups (union-find); a
// group's order is decided once, then shapes are set, and copies put where the
// entry's own order differs.

namespace ferry {
namespace {

using DimensionOrder = std::vector<int64_t>;

bool HasTiles(const Shape& shape) {
  for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
    const Layout* layout = walk.node().layout();
    if (layout != nullptr && !layout->tiles().empty()) return true;
  }
  return false;
}

bool IsTiledInside(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (HasTiles(instruction.shape())) return true;
    }
  }
  return false;
}

DimensionOrder OrderOf(const Shape& array) {
  if (array.layout() == nullptr) return {};
  const auto order = array.layout()->minor_to_major();
  return DimensionOrder(order.begin(), order.end());
}

class LayoutAssigner {
 public:
  LayoutAssigner(HloModule& module, const MemoryTarget& target)
      : module_(module), target_(target), first_(module.id_limit()) {}

  void Run() {
    NumberPositions();
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        Join(instruction);
      }
    }
    Collect();
    FixEntry();
    IndexTransposes();
    for (uint32_t group : in_order_) {
      if (orders_[group].has_value()) SpreadFrom(group);
    }
    for (uint32_t group : in_order_) {
      if (orders_[group].has_value()) continue;
      orders_[group] = DefaultOrder(group);
      SpreadFrom(group);
    }
    SetShapes();
    ConnectEntry();
    MakeBitcasts();
    SetEntryLayout();
  }

 private:
  // --- Groups.

  void NumberPositions() {
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        first_[instruction.id()] = parent_.size();
        for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
          parent_.push_back(parent_.size());
          shapes_.push_back(&walk.node());
        }
      }
    }
  }

  uint32_t Position(const HloInstruction& instruction, int32_t ordinal) const {
    return first_[instruction.id()] + ordinal;
  }

  uint32_t GroupOf(uint32_t position) {
    while (parent_[position] != position) {
      parent_[position] = parent_[parent_[position]];
      position = parent_[position];
    }
    return position;
  }

  // The earlier one stays the group's name.
  void JoinPositions(uint32_t a, uint32_t b) {
    a = GroupOf(a);
    b = GroupOf(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

  // `count` positions from each on.
  void JoinRange(uint32_t a, uint32_t b, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
      const Shape& x = *shapes_[a + i];
      const Shape& y = *shapes_[b + i];
      if (x.IsArray() && y.IsArray() && x.dimensions() == y.dimensions()) {
        JoinPositions(a + i, b + i);
      }
    }
  }

  void JoinWhole(const HloInstruction& a, const HloInstruction& b) {
    JoinRange(Position(a, 0), Position(b, 0),
              std::min(a.shape().node_count(), b.shape().node_count()));
  }

  void Join(const HloInstruction& instruction) {
    const auto callees = instruction.called_computations();
    switch (instruction.opcode()) {
      case HloOpcode::kTuple:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          const HloInstruction& operand = instruction.operand(i);
          JoinRange(
              Position(operand, 0),
              Position(instruction, instruction.shape().ElementOrdinal(i)),
              operand.shape().node_count());
        }
        return;
      case HloOpcode::kGetTupleElement: {
        const HloInstruction& tuple = instruction.operand(0);
        const int32_t at =
            tuple.shape().ElementOrdinal(instruction.tuple_index());
        JoinRange(Position(tuple, at), Position(instruction, 0),
                  instruction.shape().node_count());
        return;
      }
      case HloOpcode::kWhile:
        JoinWhole(instruction, instruction.operand(0));
        for (const HloComputation* callee : callees) {
          JoinWhole(instruction, *callee->parameters()[0]);
        }
        JoinWhole(instruction, callees[1]->root());
        return;
      case HloOpcode::kConditional:
        for (size_t i = 0; i < callees.size(); ++i) {
          JoinWhole(instruction.operand(i + 1), *callees[i]->parameters()[0]);
          JoinWhole(instruction, callees[i]->root());
        }
        return;
      case HloOpcode::kCall:
      case HloOpcode::kFusion:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          JoinWhole(instruction.operand(i), *callees[0]->parameters()[i]);
        }
        JoinWhole(instruction, callees[0]->root());
        return;
      case HloOpcode::kOptBarrier:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
        JoinWhole(instruction, instruction.operand(0));
        return;
      default:
        break;
    }
    const bool joins_all =
        HasTrait(instruction.opcode(), kElementwise) ||
        HasTrait(instruction.opcode(), kCollective) ||
        instruction.opcode() == HloOpcode::kDynamicUpdateSlice ||
        instruction.opcode() == HloOpcode::kDynamicSlice ||
        instruction.opcode() == HloOpcode::kSlice ||
        instruction.opcode() == HloOpcode::kPad ||
        instruction.opcode() == HloOpcode::kScatter ||
        instruction.opcode() == HloOpcode::kReverse ||
        instruction.opcode() == HloOpcode::kConcatenate;
    if (!joins_all) return;
    for (const HloInstruction* operand : instruction.operands()) {
      JoinWhole(instruction, *operand);
    }
  }

  void Collect() {
    orders_.resize(parent_.size());
    widest_.resize(parent_.size(), nullptr);
    for (uint32_t position = 0; position < parent_.size(); ++position) {
      const Shape& shape = *shapes_[position];
      if (!shape.IsArray()) continue;
      const uint32_t group = GroupOf(position);
      const Shape*& widest = widest_[group];
      if (widest == nullptr) in_order_.push_back(group);
      if (widest == nullptr || shape.element_bits() > widest->element_bits()) {
        widest = &shape;
      }
    }
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        if (instruction.opcode() != HloOpcode::kTranspose) continue;
        const auto permutation =
            ReadIntegers(instruction.attribute(HloAttributeKind::kDimensions));
        if (!permutation.has_value()) continue;
        transposes_.push_back(
            {GroupOf(Position(instruction.operand(0), 0)),
             GroupOf(Position(instruction, 0)),
             DimensionOrder(permutation->begin(), permutation->end())});
      }
    }
    spread_from_.assign(transposes_.size(), false);
  }

  // --- Orders.

  DimensionOrder DefaultOrder(uint32_t group) const {
    return OrderOf(
        WithDefaultLayout(module_.context(), *widest_[group], target_));
  }

  int64_t BytesWith(const Shape& array, const DimensionOrder& order) const {
    return GetTiledSize(WithOrder(array, order), target_).bytes.ToInt64();
  }

  const Shape& WithOrder(const Shape& array,
                         const DimensionOrder& order) const {
    HloContext& context = module_.context();
    LayoutFields fields;
    fields.minor_to_major = order;
    fields.memory_space = array.memory_space();
    return WithDefaultTiles(
        context, context.WithLayout(array, &context.GetLayout(fields)),
        target_);
  }

  // What the entry layout says, or else the default, in the memory that the
  // value is in.
  const Shape& EntryShape(const Shape& value, const Shape* declared) const {
    std::vector<const Shape*> wanted;
    if (declared != nullptr) {
      for (ShapeWalk walk(*declared); !walk.AtEnd(); walk.Next()) {
        wanted.push_back(&walk.node());
      }
    }
    return module_.context().MapLeaves(
        value, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
          if (!leaf.IsArray()) return leaf;
          const Layout* layout =
              declared == nullptr ? nullptr : wanted[ordinal]->layout();
          if (layout == nullptr) {
            return WithDefaultLayout(module_.context(), leaf, target_);
          }
          if (layout->tiles().empty()) {
            return WithOrder(leaf, OrderOf(*wanted[ordinal]));
          }
          LayoutFields fields = layout->fields();
          fields.memory_space = leaf.memory_space();
          return module_.context().WithLayout(
              leaf, &module_.context().GetLayout(fields));
        });
  }

  void FixEntry() {
    const EntryLayout& layout = module_.entry_layout();
    const bool is_given = layout.result != nullptr;
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      entry_parameters_.push_back(&EntryShape(
          parameter->shape(),
          is_given ? layout.parameters[parameter->parameter_number()]
                   : nullptr));
      Fix(*parameter, *entry_parameters_.back());
    }
    const HloInstruction& root = module_.entry().root();
    entry_result_ =
        &EntryShape(root.shape(), is_given ? layout.result : nullptr);
    Fix(root, *entry_result_);
  }

  // The first of a group decides.
  void Fix(const HloInstruction& instruction, const Shape& shape) {
    for (ShapeWalk walk(shape); !walk.AtEnd(); walk.Next()) {
      if (!walk.node().IsArray()) continue;
      auto& order = orders_[GroupOf(Position(instruction, walk.ordinal()))];
      if (!order.has_value()) order = OrderOf(walk.node());
    }
  }

  // Result dimension i is operand dimension permutation[i].
  struct Transpose {
    uint32_t from;
    uint32_t to;
    DimensionOrder permutation;
  };

  // In which a transpose moves nothing.
  static DimensionOrder OrderBehind(const Transpose& transpose,
                                    const DimensionOrder& from) {
    DimensionOrder place(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
      place[transpose.permutation[i]] = i;
    }
    DimensionOrder order;
    for (int64_t dimension : from) order.push_back(place[dimension]);
    return order;
  }
  static DimensionOrder OrderInFront(const Transpose& transpose,
                                     const DimensionOrder& to) {
    DimensionOrder order;
    for (int64_t dimension : to) {
      order.push_back(transpose.permutation[dimension]);
    }
    return order;
  }

  void IndexTransposes() {
    for (size_t i = 0; i < transposes_.size(); ++i) {
      transposes_of_[transposes_[i].from].push_back(i);
      transposes_of_[transposes_[i].to].push_back(i);
    }
  }

  // Hands the order of `group` on over the transposes beside it, from there
  // over the next ones, and so on. Each transpose hands one on once.
  void SpreadFrom(uint32_t group) {
    std::vector<uint32_t> decided = {group};
    for (size_t next = 0; next < decided.size(); ++next) {
      const auto beside = transposes_of_.find(decided[next]);
      if (beside == transposes_of_.end()) continue;
      for (const size_t i : beside->second) {
        if (spread_from_[i]) continue;
        spread_from_[i] = true;
        const Transpose& transpose = transposes_[i];
        const auto& from = orders_[transpose.from];
        const auto& to = orders_[transpose.to];
        if (from.has_value() && !to.has_value() &&
            Suggest(transpose.to, OrderBehind(transpose, *from))) {
          decided.push_back(transpose.to);
        } else if (to.has_value() && !from.has_value() &&
                   Suggest(transpose.from, OrderInFront(transpose, *to))) {
          decided.push_back(transpose.from);
        }
      }
    }
  }

  bool Suggest(uint32_t group, DimensionOrder order) {
    if (BytesWith(*widest_[group], order) >
        BytesWith(*widest_[group], DefaultOrder(group))) {
      return false;
    }
    orders_[group] = std::move(order);
    return true;
  }

  // --- The module.

  void SetShapes() {
    for (HloComputation* computation : module_.computations()) {
      for (HloInstruction& instruction : computation->instructions()) {
        module_.set_shape(
            instruction,
            module_.context().MapLeaves(
                instruction.shape(),
                [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
                  if (!leaf.IsArray()) return leaf;
                  const uint32_t group =
                      GroupOf(Position(instruction, ordinal));
                  return WithOrder(leaf, *orders_[group]);
                }));
      }
    }
  }

  void ConnectEntry() {
    const auto convert = [&](HloInstruction& leaf, const Shape& shape,
                             HloInstruction* before) -> HloInstruction& {
      return AddCopy(module_, leaf, shape, before);
    };
    HloComputation& entry = module_.entry();
    llvm::DenseMap<const HloInstruction*, size_t> places;
    for (const HloInstruction& instruction : entry.instructions()) {
      places[&instruction] = places.size();
    }
    const std::vector<HloInstruction*> parameters(entry.parameters().begin(),
                                                  entry.parameters().end());
    for (HloInstruction* parameter : parameters) {
      const Shape& inside = parameter->shape();
      const Shape& outside = *entry_parameters_[parameter->parameter_number()];
      if (&inside == &outside) continue;
      // The copy stands where the first user is, or as the root.
      const std::vector<HloInstruction*> users(parameter->users().begin(),
                                               parameter->users().end());
      const bool is_root = parameter->IsRoot();
      module_.set_shape(*parameter, outside);
      const auto first = std::min_element(
          users.begin(), users.end(),
          [&](const HloInstruction* a, const HloInstruction* b) {
            return places.lookup(a) < places.lookup(b);
          });
      HloInstruction* before = first == users.end() ? nullptr : *first;
      HloInstruction& converted =
          ConvertLeaves(module_, *parameter, inside, before, convert);
      for (HloInstruction* user : users) {
        for (size_t i = 0; i < user->operands().size(); ++i) {
          if (&user->operand(i) == parameter) {
            module_.ReplaceOperand(*user, i, converted);
          }
        }
      }
      if (is_root) module_.set_root(entry, converted);
    }
    ConvertRoot(module_, entry, *entry_result_, convert);
  }

  // Sizes from major to minor.
  static DimensionOrder PhysicalSizes(const Shape& array) {
    DimensionOrder sizes;
    const auto order = array.layout()->minor_to_major();
    for (size_t i = order.size(); i-- > 0;) {
      sizes.push_back(array.dimensions()[order[i]]);
    }
    return sizes;
  }

  // Elements stand where they stood: the same tile over the same two minor
  // sizes, or over whole tiles of them, and all else above in the same order.
  bool MovesNothing(const HloInstruction& instruction) const {
    const Shape& from = instruction.operand(0).shape();
    const Shape& to = instruction.shape();
    if (from.memory_space() != to.memory_space()) return false;
    if (from.layout()->tiles() != to.layout()->tiles()) return false;
    if (instruction.opcode() == HloOpcode::kTranspose) {
      const auto permutation =
          ReadIntegers(instruction.attribute(HloAttributeKind::kDimensions));
      return permutation.has_value() &&
             OrderBehind(
                 {0, 0,
                  DimensionOrder(permutation->begin(), permutation->end())},
                 OrderOf(from)) == OrderOf(to);
    }
    if (GetTiledSize(from, target_).bytes != GetTiledSize(to, target_).bytes) {
      return false;
    }
    const DimensionOrder x = PhysicalSizes(from);
    const DimensionOrder y = PhysicalSizes(to);
    if (x.size() < 2 || y.size() < 2) return x == y;
    if (x.back() != y.back() || !KeepsOrder(from, to)) return false;
    const int64_t rows = from.layout()->tiles()[0].dimensions[0];
    const int64_t a = x[x.size() - 2];
    const int64_t b = y[y.size() - 2];
    return a == b || (a % rows == 0 && b % rows == 0);
  }

  // Whether both arrays stand in their row-major order, unit sizes aside.
  static bool KeepsOrder(const Shape& from, const Shape& to) {
    const auto is_row_major = [](const Shape& array) {
      int64_t last = -1;
      const auto order = array.layout()->minor_to_major();
      for (size_t i = order.size(); i-- > 0;) {
        if (array.dimensions()[order[i]] == 1) continue;
        if (order[i] < last) return false;
        last = order[i];
      }
      return true;
    };
    return is_row_major(from) && is_row_major(to);
  }

  void MakeBitcasts() {
    for (HloComputation* computation : module_.computations()) {
      if (computation->IsFusionBody()) continue;
      std::vector<HloInstruction*> views;
      for (HloInstruction& instruction : computation->instructions()) {
        const bool is_view = instruction.opcode() == HloOpcode::kTranspose ||
                             instruction.opcode() == HloOpcode::kReshape;
        if (is_view && MovesNothing(instruction)) views.push_back(&instruction);
      }
      for (HloInstruction* view : views) MakeBitcast(*view);
    }
  }

  void MakeBitcast(HloInstruction& view) {
    HloInstruction* const operands[] = {&view.operand(0)};
    std::vector<HloAttribute> attributes;
    const absl::string_view metadata =
        view.attribute(HloAttributeKind::kMetadata);
    if (!metadata.empty()) {
      attributes.push_back({HloAttributeKind::kMetadata, metadata});
    }
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kBitcast;
    spec.name = module_.UniqueName("bitcast");
    spec.shape = &view.shape();
    spec.operands = operands;
    spec.attributes = attributes;
    HloInstruction& bitcast =
        module_.AddInstruction(view.parent(), spec, &view);
    module_.ReplaceAllUses(view, bitcast);
    module_.RemoveInstruction(view);
  }

  void SetEntryLayout() {
    EntryLayout layout;
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      layout.parameters.push_back(&parameter->shape());
    }
    layout.result = &module_.entry().root().shape();
    module_.set_entry_layout(std::move(layout));
  }

  HloModule& module_;
  const MemoryTarget& target_;
  std::vector<uint32_t> first_;  // by InstructionId
  std::vector<uint32_t> parent_;
  std::vector<const Shape*> shapes_;
  // By group.
  std::vector<std::optional<DimensionOrder>> orders_;
  std::vector<const Shape*> widest_;
  std::vector<uint32_t> in_order_;
  std::vector<Transpose> transposes_;
  llvm::DenseMap<uint32_t, llvm::SmallVector<size_t, 2>> transposes_of_;
  std::vector<bool> spread_from_;  // by transpose
  std::vector<const Shape*> entry_parameters_;
  const Shape* entry_result_ = nullptr;
};

}  // namespace

absl::StatusOr<bool> AssignLayouts::Run(HloModule& module,
                                        PassContext& context) {
  if (IsTiledInside(module)) return false;
  LayoutAssigner(module, context.target()).Run();
  return true;
}

}  // namespace ferry
