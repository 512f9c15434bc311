// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_ASSIGN_LAYOUTS_H_
#define FERRY_PASSES_ASSIGN_LAYOUTS_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Gives each array a layout with the tile of the chip.
//
//   f32[4096,64]   =>   f32[4096,64]{0,1:T(8,128)}
//
// Arguments and results have the dimension order that the entry layout says, or
// the chip's default (memory/default_layout.h). Inside, the order that the text
// has means nothing yet. Arrays that are one (loop slots, elements of tuples,
// updates in place) or are read element by element with one another have one
// order: that of an argument or result among them, or else the default of the
// widest. A transpose takes the order in which it moves nothing, if that costs
// no bytes. What then moves nothing becomes a bitcast; where an argument or
// result has another order than what is made of it, a copy stands in between.
//
// Before: verified; values placed (place-host-values).
// After:  each array has a layout with tiles (host arrays too); the entry
//         layout says the same as parameters and root. Modules that have tiles
//         inside stay as they are.
// Cost:   O(n) in positions, nearly.
//
// Tested by tests/passes/assign_layouts.hlo.
class AssignLayouts final : public HloPass {
 public:
  absl::string_view name() const override { return "assign-layouts"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_ASSIGN_LAYOUTS_H_
