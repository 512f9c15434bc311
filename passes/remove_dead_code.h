// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_REMOVE_DEAD_CODE_H_
#define FERRY_PASSES_REMOVE_DEAD_CODE_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Removes what nobody reads: elements are read where they were made, not out of
// the tuple that they were put into, and then all instructions go that are not
// needed for the root or a side effect.
//
//   %t = tuple(%a, %b)
//   %g = get-tuple-element(%t), index=1    users of %g read %b
//
// Before: verified; not scheduled.
// After:  as above. Loops keep all their slots. Computations that nobody calls
//         are gone.
// Cost:   O(n).
//
// Tested by tests/passes/remove_dead_code.hlo.
class RemoveDeadCode final : public HloPass {
 public:
  absl::string_view name() const override { return "remove-dead-code"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_REMOVE_DEAD_CODE_H_
