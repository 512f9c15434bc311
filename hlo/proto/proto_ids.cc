// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_ids.h"

#include <algorithm>

#include "ferry/hlo/carried_proto.h"

namespace ferry {

ProtoIds::ProtoIds(const HloModule& module)
    : computations_(module.computations().size()),
      instructions_(module.id_limit()) {
  if (module.carried_proto() != nullptr &&
      !module.carried_proto()->instruction_ids.empty()) {
    KeepOld(module);
    return;
  }
  for (const HloComputation* computation : module.computations()) {
    computations_[computation->id()] = computation->id();
    uint32_t place = 0;
    for (const HloInstruction& instruction : computation->instructions()) {
      instructions_[instruction.id()] = FullProtoId(computation->id(), place++);
    }
  }
}

void ProtoIds::KeepOld(const HloModule& module) {
  const CarriedProto& carried = *module.carried_proto();
  int64_t next_computation = 0;
  for (const auto& [computation, id] : carried.computation_ids) {
    next_computation = std::max(next_computation, id + 1);
  }
  const auto is_old = [&](const HloInstruction& instruction) {
    return instruction.id() < carried.instruction_ids.size();
  };
  for (const HloComputation* computation : module.computations()) {
    const auto old = carried.computation_ids.find(computation);
    const int64_t id =
        old == carried.computation_ids.end() ? next_computation++ : old->second;
    computations_[computation->id()] = id;
    uint32_t next = 0;
    for (const HloInstruction& instruction : computation->instructions()) {
      if (!is_old(instruction)) continue;
      const int64_t kept = carried.instruction_ids[instruction.id()];
      instructions_[instruction.id()] = kept;
      next = std::max(next, static_cast<uint32_t>(kept) + 1);
    }
    for (const HloInstruction& instruction : computation->instructions()) {
      if (is_old(instruction)) continue;
      instructions_[instruction.id()] = FullProtoId(id, next++);
    }
  }
}

}  // namespace ferry
