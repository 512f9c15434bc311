// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/printed_instruction_count.h"

#include <vector>

#include "llvm/Support/MathExtras.h"

namespace ferry {

uint64_t PrintedInstructionCount(const HloModule& module,
                                 const HloPrintOptions& options) {
  // Of each computation with all that is written out in it, and of what is
  // written out behind its root; callees come first.
  struct Counts {
    uint64_t all = 0;
    uint64_t behind_root = 0;
  };
  std::vector<Counts> counts(module.computations().size());
  uint64_t sum = 0;
  for (const HloComputation* computation : module.computations()) {
    Counts& own = counts[computation->id()];
    for (const HloInstruction& instruction : computation->instructions()) {
      uint64_t behind = 0;
      if (options.canonical) {
        for (const HloComputation* callee : instruction.called_computations()) {
          const Counts& called = counts[callee->id()];
          behind = llvm::SaturatingAdd(behind, called.all);
          // The short form has the attributes of the wrapped operation.
          if (instruction.opcode() == HloOpcode::kAsyncStart) {
            behind = llvm::SaturatingAdd(behind, called.behind_root);
          }
        }
      }
      own.all = llvm::SaturatingAdd(own.all, uint64_t{1});
      own.all = llvm::SaturatingAdd(own.all, behind);
      if (instruction.IsRoot()) own.behind_root = behind;
    }
    sum = llvm::SaturatingAdd(sum, own.all);
  }
  return sum;
}

}  // namespace ferry
