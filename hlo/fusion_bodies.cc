// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/fusion_bodies.h"

#include <algorithm>

#include "ferry/hlo/hlo_opcode.h"

namespace ferry {

// Callers stand behind their callees, so going backwards all callers of a
// computation are decided before it.
void MarkFusionBodies(HloModule& module) {
  const auto computations = module.computations();
  for (auto it = computations.rbegin(); it != computations.rend(); ++it) {
    HloComputation& callee = **it;
    const bool is_body =
        !callee.callers().empty() &&
        std::all_of(callee.callers().begin(), callee.callers().end(),
                    [](const HloInstruction* caller) {
                      return !HasTrait(caller->opcode(), kRunsCallee) ||
                             caller->parent().IsFusionBody();
                    });
    if (is_body) module.set_fusion_body(callee);
  }
}

}  // namespace ferry
