// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/partition_shapes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/hlo/sharding_parser.h"
#include "ferry/passes/dimension_links.h"
#include "ferry/passes/leaf_conversion.h"
#include "ferry/passes/shard_axes.h"
#include "llvm/ADT/DenseMap.h"

// Nothing changes before all axes are known. Callers come before callees, so
// that loops know what goes in; what comes back shows in the next round.

namespace ferry {
namespace {

constexpr int kRounds = 3;

int64_t PartitionCount(const HloModule& module) {
  for (const auto& [name, value] : module.header_attributes()) {
    int64_t count = 0;
    if (name == "num_partitions" && absl::SimpleAtoi(value, &count)) {
      return count;
    }
  }
  return 1;
}

bool IsShardingMark(const HloInstruction& instruction) {
  return instruction.IsCustomCall("Sharding") ||
         instruction.IsCustomCall("SPMDFullToShardShape") ||
         instruction.IsCustomCall("SPMDShardToFullShape") ||
         instruction.IsCustomCall("xla.sdy.FuncResultSharding");
}

// An array that costs nothing to make in another size.
bool IsFill(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kIota ||
         instruction.IsCustomCall("AllocateBuffer") ||
         (instruction.opcode() == HloOpcode::kBroadcast &&
          instruction.operand(0).shape().dimensions().empty());
}

bool IsOfEarlierOperand(const DimensionLink& a, const DimensionLink& b) {
  return a.operand < b.operand;
}

class ShapePartitioner {
 public:
  ShapePartitioner(HloModule& module, bool is_split)
      : module_(module), is_split_(is_split), first_(module.id_limit()) {}

  void Run() {
    for (const HloComputation* computation : module_.computations()) {
      for (const HloInstruction& instruction : computation->instructions()) {
        Number(instruction);
      }
    }
    if (is_split_) {
      for (int round = 0; round < kRounds; ++round) FindAxes();
    }
    for (HloComputation* computation : module_.computations()) {
      if (!computation->IsFusionBody()) SetShapes(*computation);
    }
    for (HloComputation* computation : module_.computations()) {
      if (!computation->IsFusionBody()) Connect(*computation);
    }
    SetEntryLayout();
  }

 private:
  void Number(const HloInstruction& instruction) {
    first_[instruction.id()] = axes_.size();
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      shapes_.push_back(&walk.node());
      axes_.push_back(ShardAxes(
          walk.node().IsArray() ? walk.node().dimensions().size() : 0));
    }
    std::vector<DimensionLink>& links = links_[&instruction];
    links = FindDimensionLinks(instruction);
    std::stable_sort(links.begin(), links.end(), IsOfEarlierOperand);
    given_.push_back(GivenAxes(instruction));
    given_of_[&instruction] = given_.size() - 1;
  }

  ShardAxes& AxesOf(const HloInstruction& instruction, int32_t ordinal = 0) {
    return axes_[first_[instruction.id()] + ordinal];
  }
  // Before anything changed.
  const Shape& GlobalShape(const HloInstruction& instruction,
                           int32_t ordinal = 0) const {
    return *shapes_[first_[instruction.id()] + ordinal];
  }

  // By ordinal, as `sharding=` says; empty without one.
  static std::vector<std::optional<ShardAxes>> GivenAxes(
      const HloInstruction& instruction) {
    const absl::string_view text =
        instruction.attribute(HloAttributeKind::kSharding);
    if (text.empty()) return {};
    const std::optional<HloSharding> sharding = ReadSharding(text);
    if (!sharding.has_value()) return {};
    std::vector<std::optional<ShardAxes>> given;
    size_t leaf = 0;
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      std::optional<ShardAxes>& axes = given.emplace_back();
      if (walk.node().IsTuple()) continue;
      const HloSharding* element = &*sharding;
      if (sharding->IsTuple()) {
        if (leaf >= sharding->elements.size()) continue;
        element = &sharding->elements[leaf];
      }
      ++leaf;
      if (!walk.node().IsArray()) continue;
      axes = ShardAxes::Of(*element, walk.node().dimensions().size());
    }
    return given;
  }

  // --- Axes.

  void FindAxes() {
    const auto computations = module_.computations();
    for (size_t i = computations.size(); i-- > 0;) {
      if (computations[i]->IsFusionBody()) continue;
      for (HloInstruction& instruction : computations[i]->instructions()) {
        FindAxesOf(instruction);
      }
    }
  }

  void Copy(const HloInstruction& to, int32_t to_ordinal,
            const HloInstruction& from, int32_t from_ordinal, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
      AxesOf(to, to_ordinal + i) = AxesOf(from, from_ordinal + i);
    }
  }

  void CopyAll(const HloInstruction& to, const HloInstruction& from) {
    Copy(to, 0, from, 0,
         std::min(to.shape().node_count(), from.shape().node_count()));
  }

  // Where `to` is whole it is split as `from`.
  void Adopt(const HloInstruction& to, const HloInstruction& from) {
    const int32_t count =
        std::min(to.shape().node_count(), from.shape().node_count());
    for (int32_t i = 0; i < count; ++i) {
      ShardAxes& axes = AxesOf(to, i);
      const ShardAxes& others = AxesOf(from, i);
      for (int64_t d = 0; d < axes.rank() && d < others.rank(); ++d) {
        axes.Split(d, others.of(d));
      }
    }
  }

  void FindAxesOf(HloInstruction& instruction) {
    const auto callees = instruction.called_computations();
    switch (instruction.opcode()) {
      case HloOpcode::kTuple:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          Copy(instruction, instruction.shape().ElementOrdinal(i),
               instruction.operand(i), 0,
               instruction.operand(i).shape().node_count());
        }
        return;
      case HloOpcode::kGetTupleElement: {
        const HloInstruction& tuple = instruction.operand(0);
        Copy(instruction, 0, tuple,
             tuple.shape().ElementOrdinal(instruction.tuple_index()),
             instruction.shape().node_count());
        return;
      }
      case HloOpcode::kOptBarrier:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
        return CopyAll(instruction, instruction.operand(0));
      case HloOpcode::kWhile:
        CopyAll(instruction, instruction.operand(0));
        Adopt(instruction, callees[1]->root());
        for (const HloComputation* callee : callees) {
          CopyAll(*callee->parameters()[0], instruction);
        }
        return;
      case HloOpcode::kConditional:
        for (size_t i = 0; i < callees.size(); ++i) {
          CopyAll(*callees[i]->parameters()[0], instruction.operand(i + 1));
          if (i == 0) {
            CopyAll(instruction, callees[i]->root());
          } else {
            Adopt(instruction, callees[i]->root());
          }
        }
        return;
      case HloOpcode::kCall:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          CopyAll(*callees[0]->parameters()[i], instruction.operand(i));
        }
        return CopyAll(instruction, callees[0]->root());
      case HloOpcode::kParameter:
        if (instruction.parent().IsEntry()) UseGiven(instruction);
        return;
      default:
        return FindAxesOfArrays(instruction);
    }
  }

  // False where nothing usable is given.
  bool UseGiven(const HloInstruction& instruction) {
    const auto& given = given_[given_of_.lookup(&instruction)];
    bool is_used = false;
    for (size_t i = 0; i < given.size(); ++i) {
      if (!given[i].has_value()) continue;
      AxesOf(instruction, i) = *given[i];
      is_used = true;
    }
    return is_used;
  }

  void FindAxesOfArrays(const HloInstruction& instruction) {
    // The shape of the result is that of one device already.
    if (instruction.IsCustomCall("SPMDFullToShardShape")) return;
    if (UseGiven(instruction)) return;
    const bool hands_on =
        instruction.opcode() == HloOpcode::kCustomCall &&
        instruction.operands().size() == 1 &&
        &instruction.operand(0).shape() == &instruction.shape();
    if (hands_on) return CopyAll(instruction, instruction.operand(0));
    const auto& links = links_[&instruction];
    for (ShapeWalk walk(instruction.shape()); !walk.AtEnd(); walk.Next()) {
      if (!walk.node().IsArray()) continue;
      ShardAxes& axes = AxesOf(instruction, walk.ordinal());
      axes = ShardAxes(walk.node().dimensions().size());
      for (const DimensionLink& link : links) {
        if (link.to >= axes.rank()) continue;
        const HloInstruction& operand = instruction.operand(link.operand);
        if (!MayGoThrough(instruction, link)) continue;
        axes.Split(link.to, AxesOf(operand).of(link.from));
      }
    }
  }

  // Parts must come out even where dimensions are merged or split.
  bool MayGoThrough(const HloInstruction& instruction,
                    const DimensionLink& link) {
    if (instruction.opcode() != HloOpcode::kReshape) return true;
    const int64_t parts =
        AxesOf(instruction.operand(link.operand)).Parts(link.from);
    return GlobalShape(instruction.operand(link.operand))
                       .dimensions()[link.from] %
                   parts ==
               0 &&
           GlobalShape(instruction).dimensions()[link.to] % parts == 0;
  }

  // How operand `number` must be split for the result that was decided on;
  // nullopt: as it is.
  std::optional<ShardAxes> NeededAxes(const HloInstruction& instruction,
                                      int64_t number) {
    const HloInstruction& operand = instruction.operand(number);
    if (!operand.shape().IsArray()) return std::nullopt;
    const bool keeps_rest = instruction.opcode() == HloOpcode::kReduce ||
                            instruction.opcode() == HloOpcode::kGather;
    ShardAxes needed = keeps_rest
                           ? AxesOf(operand)
                           : ShardAxes(operand.shape().dimensions().size());
    const std::vector<DimensionLink>& links = links_[&instruction];
    const auto [begin, end] = std::equal_range(
        links.begin(), links.end(), DimensionLink{number}, IsOfEarlierOperand);
    for (auto at = begin; at != end; ++at) {
      const DimensionLink& link = *at;
      needed.MakeWhole(link.from);
      needed.Split(link.from, ArrayAxes(instruction).of(link.to));
    }
    if (instruction.opcode() == HloOpcode::kDot) {
      SplitContracted(instruction, number, needed);
    }
    return needed;
  }

  // Of a tuple of results the first.
  ShardAxes& ArrayAxes(const HloInstruction& instruction) {
    return AxesOf(instruction, instruction.shape().IsTuple() ? 1 : 0);
  }

  // Both sides of a product are split in the same way, as one of them is, as
  // far as no axis is in use for the result.
  void SplitContracted(const HloInstruction& dot, int64_t number,
                       ShardAxes& needed) {
    const auto lhs =
        ReadIntegers(dot.attribute(HloAttributeKind::kLhsContractingDims));
    const auto rhs =
        ReadIntegers(dot.attribute(HloAttributeKind::kRhsContractingDims));
    if (!lhs.has_value() || !rhs.has_value()) return;
    // The result's axes and those of the contracted dimensions so far.
    ShardAxes used = AxesOf(dot);
    const int64_t rank = used.rank();
    ShardAxes all(rank + lhs->size());
    for (int64_t d = 0; d < rank; ++d) all.Split(d, used.of(d));
    for (size_t i = 0; i < lhs->size() && i < rhs->size(); ++i) {
      const auto of_lhs = AxesOf(dot.operand(0)).of((*lhs)[i]);
      const auto of_rhs = AxesOf(dot.operand(1)).of((*rhs)[i]);
      if (!all.Split(rank + i, of_lhs)) all.Split(rank + i, of_rhs);
      needed.Split(number == 0 ? (*lhs)[i] : (*rhs)[i], all.of(rank + i));
    }
  }

  // --- The module.

  const Shape& Local(const Shape& array, const ShardAxes& axes) {
    if (axes.IsWhole()) return array;
    std::vector<bool> flags;
    for (size_t i = 0; i < array.dimensions().size(); ++i) {
      flags.push_back(array.is_dynamic_dimension(i));
    }
    const std::unique_ptr<bool[]> dynamic(new bool[flags.size()]);
    std::copy(flags.begin(), flags.end(), dynamic.get());
    return module_.context().GetArrayShape(
        array.element_type(), axes.LocalSizes(array.dimensions()),
        array.layout(),
        array.is_dynamic() ? absl::Span<const bool>(dynamic.get(), flags.size())
                           : absl::Span<const bool>());
  }

  void SetShapes(HloComputation& computation) {
    for (HloInstruction& instruction : computation.instructions()) {
      module_.set_shape(
          instruction,
          module_.context().MapLeaves(
              instruction.shape(),
              [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
                if (!leaf.IsArray()) return leaf;
                return Local(leaf, AxesOf(instruction, ordinal));
              }));
      SetSizes(instruction);
      module_.RemoveAttribute(instruction, HloAttributeKind::kSharding);
    }
  }

  // Sizes that attributes repeat.
  void SetSizes(HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kDynamicSlice:
        module_.SetAttribute(
            instruction, HloAttributeKind::kDynamicSliceSizes,
            module_.SaveText(absl::StrCat(
                "{", absl::StrJoin(instruction.shape().dimensions(), ","),
                "}")));
        return;
      case HloOpcode::kSlice:
        return SetSliceLimits(instruction);
      case HloOpcode::kGather:
        return SetSliceSizes(instruction);
      default:
        return;
    }
  }

  // A dimension that is split was taken whole.
  void SetSliceLimits(HloInstruction& slice) {
    const absl::string_view old = slice.attribute(HloAttributeKind::kSlice);
    std::vector<std::string> ranges;
    for (absl::string_view range : absl::StrSplit(old, '[')) {
      const size_t end = range.find(']');
      if (end == absl::string_view::npos) continue;
      ranges.emplace_back(range.substr(0, end));
    }
    const auto sizes = slice.shape().dimensions();
    if (ranges.size() != sizes.size()) return;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (AxesOf(slice).Parts(i) > 1) ranges[i] = absl::StrCat("0:", sizes[i]);
      ranges[i] = absl::StrCat("[", ranges[i], "]");
    }
    module_.SetAttribute(
        slice, HloAttributeKind::kSlice,
        module_.SaveText(absl::StrCat("{", absl::StrJoin(ranges, ", "), "}")));
  }

  void SetSliceSizes(HloInstruction& gather) {
    const auto old =
        ReadIntegers(gather.attribute(HloAttributeKind::kSliceSizes));
    if (!old.has_value()) return;
    std::vector<int64_t> sizes(old->begin(), old->end());
    for (const DimensionLink& link : links_[&gather]) {
      if (link.operand != 0) continue;
      sizes[link.from] = gather.shape().dimensions()[link.to];
    }
    module_.SetAttribute(
        gather, HloAttributeKind::kSliceSizes,
        module_.SaveText(absl::StrCat("{", absl::StrJoin(sizes, ","), "}")));
  }

  HloInstruction& Reshard(HloInstruction& leaf, const Shape& target,
                          HloInstruction* before) {
    const bool is_fill = IsFill(leaf);
    static constexpr HloAttribute kTarget[] = {
        {HloAttributeKind::kCustomCallTarget, "\"FerryReshard\""}};
    HloInstruction* const operands[] = {&leaf};
    HloModule::InstructionSpec spec = {};
    spec.opcode = is_fill ? leaf.opcode() : HloOpcode::kCustomCall;
    spec.name = module_.UniqueName(is_fill ? leaf.name() : "reshard");
    spec.shape = &target;
    spec.operands = is_fill ? leaf.operands() : absl::MakeConstSpan(operands);
    spec.attributes =
        is_fill ? leaf.attributes() : absl::MakeConstSpan(kTarget);
    return module_.AddInstruction(leaf.parent(), spec, before);
  }

  // `shape` with the sizes that `sizes`, which has the same tree, has.
  const Shape& InSizesOf(const Shape& shape, const Shape& sizes) {
    std::vector<const Shape*> wanted;
    for (ShapeWalk walk(sizes); !walk.AtEnd(); walk.Next()) {
      wanted.push_back(&walk.node());
    }
    return module_.context().MapLeaves(
        shape, [&](int32_t ordinal, const Shape& leaf) -> const Shape& {
          if (!leaf.IsArray() ||
              leaf.dimensions() == wanted[ordinal]->dimensions()) {
            return leaf;
          }
          return module_.context().GetArrayShape(leaf.element_type(),
                                                 wanted[ordinal]->dimensions(),
                                                 leaf.layout());
        });
  }

  void ConvertTo(HloInstruction& user, int64_t operand, const Shape& sizes) {
    const auto reshard = [&](HloInstruction& leaf, const Shape& shape,
                             HloInstruction* before) -> HloInstruction& {
      return Reshard(leaf, shape, before);
    };
    ConvertOperand(module_, user, operand,
                   InSizesOf(user.operand(operand).shape(), sizes), reshard);
  }

  void ConvertRootTo(HloComputation& computation, const Shape& sizes) {
    const auto reshard = [&](HloInstruction& leaf, const Shape& shape,
                             HloInstruction* before) -> HloInstruction& {
      return Reshard(leaf, shape, before);
    };
    ConvertRoot(module_, computation,
                InSizesOf(computation.root().shape(), sizes), reshard);
  }

  void Connect(HloComputation& computation) {
    std::vector<HloInstruction*> instructions;
    for (HloInstruction& instruction : computation.instructions()) {
      instructions.push_back(&instruction);
    }
    for (HloInstruction* instruction : instructions) {
      ConnectOperands(*instruction);
    }
    for (HloInstruction* instruction : instructions) {
      if (IsShardingMark(*instruction)) RemoveMark(*instruction);
    }
  }

  void ConnectOperands(HloInstruction& instruction) {
    const auto callees = instruction.called_computations();
    switch (instruction.opcode()) {
      case HloOpcode::kTuple:
      case HloOpcode::kGetTupleElement:
      case HloOpcode::kOptBarrier:
      case HloOpcode::kDomain:
      case HloOpcode::kAddDependency:
        return;
      case HloOpcode::kWhile:
        ConvertTo(instruction, 0, instruction.shape());
        ConvertRootTo(*callees[1], instruction.shape());
        return;
      case HloOpcode::kConditional:
        for (size_t i = 0; i < callees.size(); ++i) {
          ConvertTo(instruction, i + 1, callees[i]->parameters()[0]->shape());
          ConvertRootTo(*callees[i], instruction.shape());
        }
        return;
      case HloOpcode::kCall:
        for (size_t i = 0; i < instruction.operands().size(); ++i) {
          ConvertTo(instruction, i, callees[0]->parameters()[i]->shape());
        }
        return;
      default:
        break;
    }
    if (IsShardingMark(instruction)) return;
    for (size_t i = 0; i < instruction.operands().size(); ++i) {
      const HloInstruction& operand = instruction.operand(i);
      // What was put in here before has the right size.
      if (operand.id() >= first_.size()) continue;
      const auto needed = NeededAxes(instruction, i);
      if (!needed.has_value()) continue;
      ConvertTo(instruction, i, Local(GlobalShape(operand), *needed));
    }
  }

  void RemoveMark(HloInstruction& mark) {
    HloInstruction& value = mark.operand(0);
    HloInstruction* replacement = &value;
    if (mark.shape().IsArray() && value.shape().IsArray() &&
        mark.shape().dimensions() != value.shape().dimensions()) {
      replacement = &Reshard(value, mark.shape(), &mark);
    } else if (!mark.shape().IsArray() && &mark.shape() != &value.shape()) {
      const auto reshard = [&](HloInstruction& leaf, const Shape& shape,
                               HloInstruction* before) -> HloInstruction& {
        return Reshard(leaf, shape, before);
      };
      replacement =
          &ConvertLeaves(module_, value, InSizesOf(value.shape(), mark.shape()),
                         &mark, reshard);
    }
    module_.ReplaceAllUses(mark, *replacement);
    module_.RemoveInstruction(mark);
  }

  void SetEntryLayout() {
    EntryLayout layout = module_.entry_layout();
    if (layout.result == nullptr) return;
    const auto parameters = module_.entry().parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      layout.parameters[i] =
          &InSizesOf(*layout.parameters[i], parameters[i]->shape());
    }
    layout.result = &InSizesOf(*layout.result, module_.entry().root().shape());
    module_.set_entry_layout(std::move(layout));
  }

  HloModule& module_;
  const bool is_split_;
  std::vector<size_t> first_;  // by InstructionId
  // By position.
  std::vector<const Shape*> shapes_;
  std::vector<ShardAxes> axes_;
  std::vector<std::vector<std::optional<ShardAxes>>> given_;
  llvm::DenseMap<const HloInstruction*, size_t> given_of_;
  // As the whole shapes have them, by operand.
  llvm::DenseMap<const HloInstruction*, std::vector<DimensionLink>> links_;
};

bool HasMarks(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (IsShardingMark(instruction) ||
          instruction.HasAttribute(HloAttributeKind::kSharding)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> PartitionShapes::Run(HloModule& module, PassContext&) {
  if (!HasMarks(module)) return false;
  ShapePartitioner(module, PartitionCount(module) > 1).Run();
  return true;
}

}  // namespace ferry
