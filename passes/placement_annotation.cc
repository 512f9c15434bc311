// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/placement_annotation.h"

#include <vector>

#include "absl/strings/match.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ferry {
namespace {

// Sublanes of a tile: the second minor dimension is padded to this many rows.
constexpr int64_t kTileRows = 8;

std::vector<int64_t> WithoutUnitDimensions(const Shape& shape) {
  std::vector<int64_t> sizes;
  for (int64_t size : shape.dimensions()) {
    if (size != 1) sizes.push_back(size);
  }
  return sizes;
}

int64_t FromBack(absl::Span<const int64_t> sizes, size_t i) {
  return i < sizes.size() ? sizes[sizes.size() - 1 - i] : 1;
}

// Whether the module runs on one device.
bool RunsAlone(const HloModule& module) {
  for (const auto& [name, value] : module.header_attributes()) {
    if ((name == "replica_count" || name == "num_partitions") && value != "1") {
      return false;
    }
  }
  return true;
}

}  // namespace

PlacementAnnotation AnnotationOf(const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kCustomCall) {
    return PlacementAnnotation::kNone;
  }
  const absl::string_view target = instruction.custom_call_target();
  if (target == "annotate_device_placement") {
    return llvm::StringSwitch<PlacementAnnotation>(
               ToStringRef(RequestedPlacement(instruction)))
        .Cases("pinned_host", "unpinned_host", PlacementAnnotation::kMoveToHost)
        .Case("device", PlacementAnnotation::kMoveToDevice)
        .Cases("vmem", "pinned_device", PlacementAnnotation::kPinToDevice)
        .Default(PlacementAnnotation::kUnknown);
  }
  return llvm::StringSwitch<PlacementAnnotation>(ToStringRef(target))
      .Case("MoveToHost", PlacementAnnotation::kMoveToHost)
      .Case("MoveToDevice", PlacementAnnotation::kMoveToDevice)
      .Cases("PinToDevice", "PinToDeviceSram",
             PlacementAnnotation::kPinToDevice)
      .Default(PlacementAnnotation::kNone);
}

absl::string_view RequestedPlacement(const HloInstruction& instruction) {
  return instruction.frontend_attribute("_xla_buffer_placement");
}

bool IsMarkedHostCompute(const HloInstruction& instruction) {
  if (AnnotationOf(instruction) != PlacementAnnotation::kNone) return false;
  if (instruction.frontend_attribute("_xla_compute_type") == "host") {
    return true;
  }
  if (instruction.opcode() == HloOpcode::kAsyncStart) {
    return !instruction.called_computations().empty() &&
           instruction.called_computations().front()->execution_thread() ==
               "host";
  }
  if (instruction.IsCustomCall("HostExecute")) return true;
  return absl::StrContains(
      instruction.attribute(HloAttributeKind::kBackendConfig),
      "DEVICE_TYPE_HOST");
}

bool IsIdentityCustomCall(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kCustomCall &&
         !instruction.operands().empty() &&
         llvm::StringSwitch<bool>(ToStringRef(instruction.custom_call_target()))
             .Cases("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                    "xla.sdy.FuncResultSharding", "PinToDevice",
                    "PinToDeviceSram", true)
             .Default(AnnotationOf(instruction) ==
                      PlacementAnnotation::kPinToDevice);
}

bool IsUndefinedBuffer(const HloInstruction& instruction) {
  return instruction.IsCustomCall("AllocateBuffer");
}

bool IsFreeReshape(const Shape& from, const Shape& to) {
  if (WithoutUnitDimensions(from) == WithoutUnitDimensions(to)) return true;
  return FromBack(from.dimensions(), 0) == FromBack(to.dimensions(), 0) &&
         FromBack(from.dimensions(), 1) % kTileRows == 0 &&
         FromBack(to.dimensions(), 1) % kTileRows == 0;
}

bool IsCollectiveOfOne(const HloInstruction& instruction) {
  return HasTrait(instruction.opcode(), kCollective) &&
         instruction.operands().size() == 1 && instruction.shape().IsArray() &&
         instruction.shape() == instruction.operand(0).shape() &&
         RunsAlone(instruction.parent().module());
}

bool IsTrivialReduce(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kReduce &&
         instruction.shape().IsArray() &&
         WithoutUnitDimensions(instruction.operand(0).shape()) ==
             WithoutUnitDimensions(instruction.shape());
}

}  // namespace ferry
