// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_VERIFIER_H_
#define FERRY_HLO_HLO_VERIFIER_H_

#include <vector>

#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Checks what every pass may rely on; reports all findings, in source order.
//
// Rules: F1101 results of tuple, get-tuple-element, while, call, conditional,
// parameter, copy-start/-done fit their operands; F1102 called computations fit
// their callers; F1103 the entry fits entry_computation_layout (memory spaces
// apart); F1104 must-alias pairs are equal, memory space included; F1105 async
// chains are whole; F1106 no computation calls itself; F1107 layouts are
// permutations; F1108 annotations keep the shape.
std::vector<Diagnostic> VerifyHlo(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_H_
