// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_opcode.h"

#include "ferry/hlo/string_ref.h"
#include "llvm/ADT/StringMap.h"

namespace ferry {
namespace {

struct OpcodeFacts {
  absl::string_view name;
  OperandCount operands;
  uint16_t traits;
};

constexpr OpcodeFacts kFacts[] = {
#define FERRY_HLO_OPCODE(enumerator, name, min, max, traits) \
  {name, {min, max}, traits},
#include "ferry/hlo/hlo_opcode.def"
    {"unknown", {0, -1}, kNoTraits},
};

const OpcodeFacts& FactsOf(HloOpcode opcode) {
  return kFacts[static_cast<size_t>(opcode)];
}

}  // namespace

absl::string_view HloOpcodeName(HloOpcode opcode) {
  return FactsOf(opcode).name;
}

std::optional<HloOpcode> HloOpcodeFromName(absl::string_view name) {
  static const auto& by_name = *[] {
    auto* map = new llvm::StringMap<HloOpcode>();
    for (size_t i = 0; i < static_cast<size_t>(HloOpcode::kUnknown); ++i) {
      map->try_emplace(ToStringRef(kFacts[i].name), static_cast<HloOpcode>(i));
    }
    return map;
  }();
  const auto found = by_name.find(ToStringRef(name));
  if (found == by_name.end()) return std::nullopt;
  return found->second;
}

uint16_t HloOpcodeTraitsOf(HloOpcode opcode) { return FactsOf(opcode).traits; }

OperandCount LegalOperandCount(HloOpcode opcode) {
  return FactsOf(opcode).operands;
}

OperandCount ReadableOperandCount(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kConcatenate:
    case HloOpcode::kMap:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kReduce:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kRng:
    case HloOpcode::kSort:
      return {0, -1};
    case HloOpcode::kRngBitGenerator:
    case HloOpcode::kScatter:
      return {1, -1};
    case HloOpcode::kDot:
      return {2, -1};
    default:
      return LegalOperandCount(opcode);
  }
}

}  // namespace ferry
