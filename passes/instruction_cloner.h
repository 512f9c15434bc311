// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_INSTRUCTION_CLONER_H_
#define FERRY_PASSES_INSTRUCTION_CLONER_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// Which instruction a clone stands for.
using CloneMap = llvm::DenseMap<const HloInstruction*, HloInstruction*>;

// Makes copies of instructions and computations of one module, with all their
// attributes and new names. Tested by tests/passes/inline_calls.hlo.
class InstructionCloner {
 public:
  // `module` must outlive it; computations are only added through it meanwhile.
  explicit InstructionCloner(HloModule& module);

  // A copy in `computation`, in front of `before` (null: at the end), whose
  // operands and control predecessors are those that `clones` has for the
  // original's. It joins them. What it calls is shared.
  HloInstruction& Clone(const HloInstruction& original,
                        HloComputation& computation, HloInstruction* before,
                        CloneMap& clones);
  // The same, calling `callees` instead.
  HloInstruction& Clone(const HloInstruction& original,
                        HloComputation& computation, HloInstruction* before,
                        CloneMap& clones,
                        absl::Span<HloComputation* const> callees);

  // A copy that shares nothing through which control goes: computations that
  // run as such (loops, branches, calls) are copied too, those that are part of
  // an instruction are not. Callees stand in front of it. Takes no stack.
  HloComputation& CloneComputation(const HloComputation& original);

  // A new, empty computation with a name like `base`.
  HloComputation& AddComputation(absl::string_view base);

 private:
  HloModule& module_;
  absl::flat_hash_set<std::string> names_;
};

// New computations stand at the end; readers want callees in front of callers.
void PutCalleesFirst(HloModule& module);

// Whether control enters what the instruction calls, so that its values are the
// program's.
bool RunsItsCallees(const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_PASSES_INSTRUCTION_CLONER_H_
