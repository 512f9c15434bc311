// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/use_index.h"

#include <algorithm>
#include <limits>

#include "ferry/hlo/shape.h"

namespace ferry {
namespace {

// From this many users or operands on, an instruction is indexed.
constexpr size_t kWide = 16;

}  // namespace

UseIndex::UseIndex(const HloModule& module) : order_(module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      if (instruction.shape().IsTuple() && instruction.users().size() > kWide) {
        AddResult(instruction);
      }
      if (instruction.operands().size() > kWide) AddOperands(instruction);
    }
  }
}

void UseIndex::AddResult(const HloInstruction& instruction) {
  WideResult& result = results_[&instruction];
  const auto users = order_.users(instruction);
  for (uint32_t place = 0; place < users.size(); ++place) {
    if (users[place]->opcode() == HloOpcode::kGetTupleElement) {
      result.by_element.push_back({users[place]->tuple_index(), place});
    } else {
      result.others.push_back(place);
    }
  }
  std::sort(result.by_element.begin(), result.by_element.end());
}

void UseIndex::AddOperands(const HloInstruction& instruction) {
  auto& places = operands_[&instruction];
  const auto operands = instruction.operands();
  for (uint32_t number = 0; number < operands.size(); ++number) {
    places.push_back({operands[number]->id(), number});
  }
  std::sort(places.begin(), places.end());
}

void UseIndex::ForEachUser(
    const HloInstruction& instruction, int32_t ordinal,
    llvm::function_ref<void(const HloInstruction&)> visit) const {
  const auto users = order_.users(instruction);
  const auto found = results_.find(&instruction);
  if (found == results_.end()) {
    for (const HloInstruction* user : users) visit(*user);
    return;
  }
  const WideResult& result = found->second;
  const int64_t element =
      ordinal == 0 ? -1 : instruction.shape().ElementHolding(ordinal);
  // Two ascending lists of places, merged.
  auto reader =
      std::lower_bound(result.by_element.begin(), result.by_element.end(),
                       std::pair<int64_t, uint32_t>(element, 0));
  auto other = result.others.begin();
  while (true) {
    const uint32_t none = std::numeric_limits<uint32_t>::max();
    const bool has_reader =
        reader != result.by_element.end() && reader->first == element;
    const uint32_t next_reader = has_reader ? reader->second : none;
    const uint32_t next_other = other != result.others.end() ? *other : none;
    if (next_reader == none && next_other == none) return;
    visit(*users[std::min(next_reader, next_other)]);
    if (next_reader < next_other) {
      ++reader;
    } else {
      ++other;
    }
  }
}

void UseIndex::ForEachPlace(const HloInstruction& user,
                            const HloInstruction& operand,
                            llvm::function_ref<void(int64_t)> visit) const {
  const auto found = operands_.find(&user);
  if (found == operands_.end()) {
    const auto operands = user.operands();
    for (size_t number = 0; number < operands.size(); ++number) {
      if (operands[number] == &operand) visit(number);
    }
    return;
  }
  const auto& places = found->second;
  for (auto place = std::lower_bound(
           places.begin(), places.end(),
           std::pair<InstructionId, uint32_t>(operand.id(), 0));
       place != places.end() && place->first == operand.id(); ++place) {
    visit(place->second);
  }
}

}  // namespace ferry
