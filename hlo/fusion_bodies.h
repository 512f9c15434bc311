// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_FUSION_BODIES_H_
#define FERRY_HLO_FUSION_BODIES_H_

#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Marks the computations that HloComputation::IsFusionBody() speaks of: those
// that all their callers call as a part of themselves, as fusions and reduces
// do, or that only such computations call. For readers, when all computations
// are there, callees before callers. Tested by hlo_parser_test.cc.
void MarkFusionBodies(HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_FUSION_BODIES_H_
