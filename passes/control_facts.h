// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_CONTROL_FACTS_H_
#define FERRY_PASSES_CONTROL_FACTS_H_

#include <cstdint>
#include <optional>

#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// How often the body of a while runs, as far as it matters for placement.
enum class LoopRuns : uint8_t {
  kNever,  // the result is the initial value
  kOnce,   // nothing goes from one iteration to the next
  kOften,  // or not known
};

// What is known of loops and branches before the program runs, found once for a
// module (which must not change meanwhile) in time linear in its size.
//
// Compilers simplify by the same facts before they look at placement.
//
// Tested by control_facts_test.cc.
class ControlFacts {
 public:
  explicit ControlFacts(const HloModule& module);

  LoopRuns RunsOf(const HloInstruction& loop) const {
    return loops_.find(&loop)->second;
  }
  // The branch that a conditional takes every time: its only one, or the one
  // that a constant selects. Nullopt if that is not known.
  std::optional<int32_t> OnlyBranchOf(const HloInstruction& conditional) const;
  // Whether control ever enters the callee that has this place among the
  // called computations of `caller`.
  bool MayRun(const HloInstruction& caller, int32_t role) const;
  // Whether the callee that runs can stand in place of the call: control comes
  // in once, and there is nothing to decide.
  bool IsInlined(const HloInstruction& caller) const;

 private:
  llvm::DenseMap<const HloInstruction*, LoopRuns> loops_;
  llvm::DenseMap<const HloInstruction*, int32_t> only_branches_;
};

// The element of its state that a loop brings back to the device and hands on
// in the same place, for `move`, a move to device in its body; nullopt for any
// other move. Compilers keep such an element in host memory:
//
//   %x = get-tuple-element(%state), index=1
//   %d = MoveToDevice(%x)
//   ROOT %next = tuple(%i, %d)
std::optional<int64_t> CarriedInPlace(const HloInstruction& move);

}  // namespace ferry

#endif  // FERRY_PASSES_CONTROL_FACTS_H_
