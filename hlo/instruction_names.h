// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_INSTRUCTION_NAMES_H_
#define FERRY_HLO_INSTRUCTION_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/name_uniquer.h"

namespace ferry {

// Which instruction has which name: a part of HloModule.
//
// In a module a name stands for one instruction. In a text it does so for one
// computation only, so while a computation is being read its names are its
// own, and when it ends those that others have get new ones, as in XLA:
//
//   c { x = ... }                     x
//   e { x = ...                       x.2, once `e` ends
//       y = map(x), to_apply={
//         x = ... } }                 x.1: bodies in place end first
//
// One table holds all: open addressing, 8 bytes a slot, the names themselves
// stay in the instructions. Names in bodies in place are hashed with their
// computation until it ends, so that a million bodies within each other may use
// the same name. Tested by instruction_names_test.cc.
class InstructionNames {
 public:
  // References must outlive this.
  explicit InstructionNames(HloModule& module) : module_(module) {}

  void Add(const HloInstruction& instruction);
  // The name of a removed instruction is not used again.
  void Remove(const HloInstruction& instruction);

  // Null if there is none.
  HloInstruction* Find(absl::string_view name) const;
  HloInstruction* Find(const HloComputation& computation,
                       absl::string_view name) const;

  // Names of text. Scopes that are in place lie within another open one.
  void OpenScope(HloComputation& computation, bool is_in_place);
  void CloseScope(HloComputation& computation);

  // A name that nothing has, not handed out again until it is added.
  std::string GetUniqueName(absl::string_view base);
  // The same for an instruction of an open scope, whose names count too.
  std::string GetUniqueName(const HloComputation& computation,
                            absl::string_view base);

 private:
  struct Slot {
    uint32_t hash = 0;
    InstructionId id = kFree;
  };
  static constexpr InstructionId kFree = UINT32_MAX;
  static constexpr InstructionId kRemoved = UINT32_MAX - 1;

  bool IsTaken(absl::string_view name) const;
  bool NeedsNormalName(absl::string_view name);
  void Insert(uint32_t hash, InstructionId id);
  void Erase(const HloInstruction& instruction);
  void Grow();
  // Calls `visit` with each instruction of that name, until it returns true.
  template <typename Visit>
  HloInstruction* FindIf(uint32_t hash, absl::string_view name,
                         Visit visit) const;

  HloModule& module_;
  std::vector<Slot> slots_;
  size_t used_ = 0;  // removed ones too
  // Whether the open computation that is not in place has names that must
  // change when it ends.
  bool has_conflict_ = false;
  // Whether some name ends in `.0`, which takes the name without it too.
  bool has_zero_number_ = false;
  absl::flat_hash_set<std::string> reserved_;
  NameUniquer uniquer_;
};

}  // namespace ferry

#endif  // FERRY_HLO_INSTRUCTION_NAMES_H_
