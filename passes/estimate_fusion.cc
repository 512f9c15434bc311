// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/estimate_fusion.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/memory/tiled_size.h"
#include "ferry/passes/instruction_cloner.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

// Downwards: the fewest bytes from which each value can be made anew. Upwards:
// in which fusions each value would have to be made, which decides whether it
// is. Then the fusions are built, each from its last instruction upwards.

namespace ferry {
namespace {

// A value that is needed in more places is made once.
constexpr size_t kMostPlaces = 8;
constexpr int32_t kMostInstructions = 512;
// Making anew may read this much more than the value itself: an eighth, for
// the odd row of scales beside an array.
constexpr int64_t kSlack = 8;

enum class FusionRole { kNone, kLight, kReader, kProduct };

FusionRole RoleOf(const HloInstruction& instruction) {
  if (!instruction.shape().IsArray() || instruction.shape().IsHostArray()) {
    return FusionRole::kNone;
  }
  for (const HloInstruction* operand : instruction.operands()) {
    if (!operand->shape().IsArray() || operand->shape().IsHostArray()) {
      return FusionRole::kNone;
    }
  }
  if (!instruction.control_predecessors().empty()) return FusionRole::kNone;
  switch (instruction.opcode()) {
    case HloOpcode::kCopy:
      return FusionRole::kNone;
    case HloOpcode::kBroadcast:
    case HloOpcode::kIota:
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
    case HloOpcode::kTranspose:
    case HloOpcode::kSlice:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kPad:
    case HloOpcode::kConcatenate:
    case HloOpcode::kReverse:
      return FusionRole::kLight;
    case HloOpcode::kDot:
    case HloOpcode::kConvolution:
      return FusionRole::kProduct;
    case HloOpcode::kReduce:
    case HloOpcode::kDynamicUpdateSlice:
      return FusionRole::kReader;
    default:
      return HasTrait(instruction.opcode(), kElementwise) ? FusionRole::kLight
                                                          : FusionRole::kNone;
  }
}

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kConstant &&
         instruction.shape().IsArray() &&
         instruction.shape().dimensions().empty();
}

class FusionEstimator {
 public:
  FusionEstimator(HloModule& module, InstructionCloner& cloner,
                  HloComputation& computation, const MemoryTarget& target)
      : module_(module),
        cloner_(cloner),
        computation_(computation),
        target_(target) {
    for (HloInstruction& instruction : computation.instructions()) {
      numbers_[&instruction] = values_.size();
      values_.push_back({&instruction, RoleOf(instruction)});
    }
  }

  bool Run() {
    for (Value& value : values_) FindSources(value);
    for (size_t i = values_.size(); i-- > 0;) Decide(values_[i]);
    bool changed = false;
    for (size_t i = 0; i < values_.size(); ++i) changed |= Build(values_[i]);
    for (size_t i = values_.size(); i-- > 0;) RemoveIfUnused(values_[i]);
    return changed;
  }

 private:
  struct Value {
    HloInstruction* instruction;
    FusionRole role;
    int64_t bytes = 0;
    // The least that must be read to make it, and from where, if that is few.
    int64_t source_bytes = 0;
    llvm::SmallVector<int32_t, 6> sources;
    // Made inside the fusions that end in these; by number.
    bool is_inside = false;
    llvm::SmallVector<int32_t, kMostPlaces> places;
    // All its ways there are elementwise.
    bool is_elementwise = false;
    // Of a fusion that ends here.
    int32_t fusion_size = 1;
    bool has_product = false;
  };

  Value& ValueOf(const HloInstruction& instruction) {
    return values_[numbers_.lookup(&instruction)];
  }

  void FindSources(Value& value) {
    value.bytes =
        GetTotalTiledSize(value.instruction->shape(), target_).bytes.ToInt64();
    value.has_product = value.role == FusionRole::kProduct;
    if (value.role != FusionRole::kLight) return;
    const auto add = [&](int32_t number) {
      if (std::find(value.sources.begin(), value.sources.end(), number) ==
          value.sources.end()) {
        value.sources.push_back(number);
      }
    };
    bool is_many = false;
    int64_t sum = 0;
    for (const HloInstruction* operand : value.instruction->operands()) {
      const Value& read = ValueOf(*operand);
      const bool is_made =
          read.role == FusionRole::kLight && read.source_bytes < read.bytes;
      sum += std::min(read.bytes, is_made ? read.source_bytes : read.bytes);
      if (!is_made) {
        add(numbers_.lookup(operand));
      } else {
        is_many |= read.sources.empty() && read.source_bytes > 0;
        for (int32_t source : read.sources) add(source);
      }
    }
    if (is_many || value.sources.size() > 6) {
      value.sources.clear();
      value.source_bytes = sum;
      return;
    }
    for (int32_t source : value.sources) {
      value.source_bytes += values_[source].bytes;
    }
  }

  // Whether `user` can make `value` itself, in all places where it reads it.
  bool CanMake(const HloInstruction& user, const HloInstruction& value) {
    const FusionRole role = ValueOf(user).role;
    if (role == FusionRole::kNone) return false;
    // An update is written into what it updates.
    if (user.opcode() == HloOpcode::kDynamicUpdateSlice) {
      return &user.operand(0) != &value;
    }
    return true;
  }

  // The fusions that would have to make the value; false if some reader needs
  // it in memory, or there are too many.
  bool FindPlaces(Value& value) {
    HloInstruction& instruction = *value.instruction;
    if (instruction.IsRoot() || instruction.users().empty()) return false;
    value.is_elementwise = true;
    for (const HloInstruction* user : instruction.users()) {
      if (!CanMake(*user, instruction)) return false;
      const Value& reader = ValueOf(*user);
      const bool is_elementwise =
          HasTrait(user->opcode(), kElementwise) &&
          user->shape().dimensions() == instruction.shape().dimensions();
      value.is_elementwise = value.is_elementwise && is_elementwise &&
                             (!reader.is_inside || reader.is_elementwise);
      const int32_t itself = numbers_.lookup(user);
      const auto reads_in = reader.is_inside
                                ? llvm::ArrayRef<int32_t>(reader.places)
                                : llvm::ArrayRef<int32_t>(itself);
      for (int32_t place : reads_in) {
        if (std::find(value.places.begin(), value.places.end(), place) !=
            value.places.end()) {
          continue;
        }
        if (value.places.size() == kMostPlaces) return false;
        value.places.push_back(place);
      }
    }
    return true;
  }

  void Decide(Value& value) {
    if (value.role != FusionRole::kLight &&
        value.role != FusionRole::kProduct) {
      return;
    }
    if (!FindPlaces(value)) return;
    const bool is_cheap =
        value.source_bytes <= value.bytes + value.bytes / kSlack;
    if (value.role == FusionRole::kProduct) {
      const Value& place = values_[value.places[0]];
      if (value.places.size() > 1 || !value.is_elementwise ||
          place.has_product) {
        return;
      }
    } else if (value.places.size() > 1 && !is_cheap) {
      return;
    }
    for (int32_t place : value.places) {
      if (values_[place].fusion_size >= kMostInstructions) return;
    }
    for (int32_t place : value.places) {
      ++values_[place].fusion_size;
      values_[place].has_product |= value.role == FusionRole::kProduct;
    }
    value.is_inside = true;
  }

  // A fusion that ends in `value`, if it makes anything inside.
  bool Build(Value& value) {
    if (value.is_inside || value.role == FusionRole::kNone) return false;
    HloInstruction& last = *value.instruction;
    std::vector<HloInstruction*> inside = {&last};
    llvm::DenseSet<const HloInstruction*> seen = {&last};
    std::vector<HloInstruction*> read;
    bool makes_something = false;
    for (size_t next = 0; next < inside.size(); ++next) {
      for (HloInstruction* operand : inside[next]->operands()) {
        if (!seen.insert(operand).second) continue;
        const bool is_value = numbers_.contains(operand);
        const bool is_made = is_value && ValueOf(*operand).is_inside;
        makes_something |= is_made;
        const bool is_free = is_made || IsScalarConstant(*operand);
        (is_free ? inside : read).push_back(operand);
      }
    }
    if (!makes_something) return false;
    std::sort(inside.begin(), inside.end(),
              [&](const HloInstruction* a, const HloInstruction* b) {
                return numbers_.lookup(a) < numbers_.lookup(b);
              });
    BuildFusion(value, inside, read);
    return true;
  }

  void BuildFusion(Value& value, const std::vector<HloInstruction*>& inside,
                   const std::vector<HloInstruction*>& read) {
    HloComputation& body = cloner_.AddComputation("fused_computation");
    module_.set_fusion_body(body);
    CloneMap clones;
    for (size_t i = 0; i < read.size(); ++i) {
      HloModule::InstructionSpec spec = {};
      spec.opcode = HloOpcode::kParameter;
      spec.name = module_.UniqueName("param");
      spec.shape = &read[i]->shape();
      spec.number = i;
      clones[read[i]] = &module_.AddInstruction(body, spec);
    }
    for (const HloInstruction* instruction : inside) {
      cloner_.Clone(*instruction, body, nullptr, clones);
    }
    HloInstruction& last = *value.instruction;
    module_.set_root(body, *clones.lookup(&last));
    std::vector<HloAttribute> attributes = {
        {HloAttributeKind::kKind, value.has_product ? "kOutput" : "kLoop"}};
    const absl::string_view metadata =
        last.attribute(HloAttributeKind::kMetadata);
    if (!metadata.empty()) {
      attributes.push_back({HloAttributeKind::kMetadata, metadata});
    }
    HloComputation* const callees[] = {&body};
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kFusion;
    spec.name = module_.UniqueName("fusion");
    spec.shape = &last.shape();
    spec.operands = read;
    spec.called_computations = callees;
    spec.attributes = attributes;
    HloInstruction& fusion = module_.AddInstruction(computation_, spec, &last);
    numbers_[&fusion] = numbers_.lookup(&last);
    module_.ReplaceAllUses(last, fusion);
    module_.RemoveInstruction(last);
    value.instruction = nullptr;
  }

  // What is only made inside fusions now.
  void RemoveIfUnused(Value& value) {
    if (!value.is_inside && value.instruction != nullptr &&
        !IsScalarConstant(*value.instruction)) {
      return;
    }
    if (value.instruction == nullptr || value.instruction->IsRoot() ||
        !value.instruction->users().empty()) {
      return;
    }
    module_.RemoveInstruction(*value.instruction);
  }

  HloModule& module_;
  InstructionCloner& cloner_;
  HloComputation& computation_;
  const MemoryTarget& target_;
  std::vector<Value> values_;  // in the order of the list
  llvm::DenseMap<const HloInstruction*, int32_t> numbers_;
};

bool HasFusions(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (instruction.opcode() == HloOpcode::kFusion) return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> EstimateFusion::Run(HloModule& module,
                                         PassContext& context) {
  if (HasFusions(module)) return false;
  InstructionCloner cloner(module);
  std::vector<HloComputation*> computations;
  for (HloComputation* computation : module.computations()) {
    if (!computation->IsFusionBody()) computations.push_back(computation);
  }
  bool changed = false;
  for (HloComputation* computation : computations) {
    changed |=
        FusionEstimator(module, cloner, *computation, context.target()).Run();
  }
  if (changed) PutCalleesFirst(module);
  return changed;
}

}  // namespace ferry
