// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ASYNC_SUGAR_H_
#define FERRY_HLO_ASYNC_SUGAR_H_

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_print_options.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// Which asynchronous operations are printed in the short form:
//
//   %w (p: f32[8]) -> f32[8] { %p = .. parameter(0)
//                              ROOT %n = .. negate(%p) }       not printed
//   %s = ((f32[8]), f32[8], u32[]) async-start(%x), calls=%w   negate-start(%x)
//   %d = f32[8] async-done(%s)                                 negate-done(%s)
//
// Remembers its answers. Tested by hlo_printer_test.cc.
class AsyncSugar {
 public:
  explicit AsyncSugar(HloPrintOptions::AsyncSugar mode) : mode_(mode) {}

  // `negate` of the computation above, asked for %w; null where the long form
  // is printed, and for computations that no async-start calls.
  const HloInstruction* OperationOf(const HloComputation& wrapped);
  // The same, asked for an async-start, -update or -done; null for all others.
  const HloInstruction* OperationOf(const HloInstruction& instruction);

 private:
  const HloInstruction* FindOperation(const HloComputation& wrapped) const;
  const HloInstruction* StartOf(const HloInstruction& instruction);

  const HloPrintOptions::AsyncSugar mode_;
  llvm::DenseMap<const HloComputation*, const HloInstruction*> operations_;
  // What the chain of an async operation begins with.
  llvm::DenseMap<const HloInstruction*, const HloInstruction*> starts_;
};

}  // namespace ferry

#endif  // FERRY_HLO_ASYNC_SUGAR_H_
