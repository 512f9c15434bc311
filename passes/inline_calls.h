// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_INLINE_CALLS_H_
#define FERRY_PASSES_INLINE_CALLS_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Puts called computations in place of their calls, and gives each loop, branch
// and remaining call a computation of its own, as compilers do before anything
// else: what is left has one caller each.
//
//   %y = call(%x), to_apply=%silu    =>    %neg = negate(%x)
//                                          %y.1 = ...
//
// Calls that run on the host (`_xla_compute_type="host"`), on another thread, or
// in an order that is given (control predecessors) stay.
//
// Before: verified; not scheduled.
// After:  each computation that control enters has one caller, but for those of
//         the calls that stay. Computations that nobody calls are gone.
// Cost:   O(n) in what comes out, which is limited: ResourceExhausted if that
//         is above sixteen times the module and a million.
//
// Tested by tests/passes/inline_calls.hlo.
class InlineCalls final : public HloPass {
 public:
  absl::string_view name() const override { return "inline-calls"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_INLINE_CALLS_H_
