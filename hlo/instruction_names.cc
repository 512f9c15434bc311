// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/instruction_names.h"

#include <utility>

#include "absl/hash/hash.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {
namespace {

using NameScope = HloComputation::NameScope;

uint32_t HashOf(absl::string_view name) {
  return absl::Hash<absl::string_view>()(name);
}

uint32_t HashIn(const HloComputation& computation, absl::string_view name) {
  if (computation.name_scope() != NameScope::kInPlace) return HashOf(name);
  return absl::HashOf(name, computation.id());
}

}  // namespace

template <typename Visit>
HloInstruction* InstructionNames::FindIf(uint32_t hash, absl::string_view name,
                                         Visit visit) const {
  if (slots_.empty()) return nullptr;
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].id != kFree; at = (at + 1) & mask) {
    if (slots_[at].hash != hash || slots_[at].id == kRemoved) continue;
    HloInstruction* found = module_.instruction(slots_[at].id);
    if (found->name() == name && visit(*found)) return found;
  }
  return nullptr;
}

HloInstruction* InstructionNames::Find(absl::string_view name) const {
  return FindIf(HashOf(name), name, [](const HloInstruction& found) {
    return found.parent().name_scope() == NameScope::kModule;
  });
}

HloInstruction* InstructionNames::Find(const HloComputation& computation,
                                       absl::string_view name) const {
  return FindIf(HashIn(computation, name), name,
                [&](const HloInstruction& found) {
                  return &found.parent() == &computation;
                });
}

void InstructionNames::Add(const HloInstruction& instruction) {
  const absl::string_view name = instruction.name();
  if (!reserved_.empty()) reserved_.erase(name);
  const NameScope scope = instruction.parent().name_scope();
  const uint32_t hash = HashIn(instruction.parent(), name);
  if (scope != NameScope::kInPlace && !has_conflict_) {
    has_conflict_ = FindIf(hash, name, [&](const HloInstruction& other) {
                      return scope == NameScope::kOpen ||
                             other.parent().name_scope() == NameScope::kOpen;
                    }) != nullptr;
    if (NeedsNormalName(name) && scope == NameScope::kOpen) {
      has_conflict_ = true;
    }
  }
  Insert(hash, instruction.id());
}

// Whether finding no other instruction of this name does not mean that the name
// is free and may stay.
bool InstructionNames::NeedsNormalName(absl::string_view name) {
  // Nearly every name of a dump: a number that starts with no zero.
  const size_t dot = name.rfind('.');
  if (!has_zero_number_ && dot != absl::string_view::npos &&
      dot + 1 < name.size() && name[dot + 1] >= '1' && name[dot + 1] <= '9') {
    return false;
  }
  const NumberedName split = SplitName(name);
  has_zero_number_ |= split.number == 0;
  return !split.is_normal || split.number == 0 ||
         (!split.number.has_value() && has_zero_number_);
}

void InstructionNames::Remove(const HloInstruction& instruction) {
  reserved_.emplace(instruction.name());
  Erase(instruction);
}

void InstructionNames::OpenScope(HloComputation& computation,
                                 bool is_in_place) {
  FERRY_CHECK(computation.instructions().empty());
  computation.name_scope_ =
      is_in_place ? NameScope::kInPlace : NameScope::kOpen;
}

void InstructionNames::CloseScope(HloComputation& computation) {
  if (computation.name_scope_ == NameScope::kOpen &&
      !std::exchange(has_conflict_, false)) {
    computation.name_scope_ = NameScope::kModule;
    return;
  }
  for (const HloInstruction& instruction : computation.instructions()) {
    Erase(instruction);
  }
  computation.name_scope_ = NameScope::kModule;
  for (HloInstruction& instruction : computation.instructions()) {
    const std::string name = uniquer_.GetUniqueName(
        instruction.name(),
        [this](auto candidate) { return IsTaken(candidate); });
    if (name != instruction.name()) module_.set_name(instruction, name);
    Add(instruction);
  }
}

std::string InstructionNames::GetUniqueName(absl::string_view base) {
  std::string name = uniquer_.GetUniqueName(
      base, [this](absl::string_view name) { return IsTaken(name); });
  reserved_.insert(name);
  return name;
}

std::string InstructionNames::GetUniqueName(const HloComputation& computation,
                                            absl::string_view base) {
  return uniquer_.GetUniqueName(base, [&](absl::string_view name) {
    return IsTaken(name) || Find(computation, name) != nullptr;
  });
}

bool InstructionNames::IsTaken(absl::string_view name) const {
  return Find(name) != nullptr || reserved_.contains(name);
}

void InstructionNames::Insert(uint32_t hash, InstructionId id) {
  // At most three quarters full.
  if (4 * (used_ + 1) > 3 * slots_.size()) Grow();
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  // Slots of removed ones are taken again: else a name that comes and goes in
  // each computation would be searched for among all of them.
  while (slots_[at].id < kRemoved) at = (at + 1) & mask;
  used_ += slots_[at].id == kFree;
  slots_[at] = {hash, id};
}

void InstructionNames::Erase(const HloInstruction& instruction) {
  const uint32_t hash = HashIn(instruction.parent(), instruction.name());
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].id != kFree; at = (at + 1) & mask) {
    if (slots_[at].id == instruction.id()) {
      slots_[at].id = kRemoved;
      return;
    }
  }
}

void InstructionNames::Grow() {
  constexpr size_t kFirst = 64;
  size_t live = 0;
  for (const Slot& slot : slots_) live += slot.id < kRemoved;
  // Where most were removed the size is enough.
  const bool is_roomy = 4 * live < slots_.size();
  const size_t size = slots_.empty() ? kFirst
                      : is_roomy     ? slots_.size()
                                     : 2 * slots_.size();
  std::vector<Slot> old(size);
  old.swap(slots_);
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.id < kRemoved) Insert(slot.hash, slot.id);
  }
}

}  // namespace ferry
