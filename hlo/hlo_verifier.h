// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_VERIFIER_H_
#define FERRY_HLO_HLO_VERIFIER_H_

#include <vector>

#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Checks what every pass may rely on; reports all findings, in source order.
// Changes nothing, and is linear in the module; nesting costs no stack.
//
// | code  | holds                                         | checked in
// | ----- | --------------------------------------------- | -----------------
// | F1101 | results are what operands and callees make    | verify_results.cc
// | F1102 | called computations fit their callers         | verify_callees.cc
// | F1103 | the entry fits entry_computation_layout       | verify_entry.cc
// | F1104 | aliases exist, once each; must-alias pairs    | verify_entry.cc
// |       | are equal, memory space included              |
// | F1105 | asynchronous chains are whole                 | verify_async.cc
// | F1106 | no computation calls itself                   | hlo_verifier.cc
// | F1107 | layouts are permutations of the dimensions    | hlo_verifier.cc
// | F1108 | operands stand above, in the same computation | hlo_verifier.cc
//
// "Fit" means compatible: same tree, types and sizes. Layouts, memory spaces
// and dynamic flags may differ, and two floating-point types are equal, as in
// XLA with mixed precision allowed. Where a value lives is not this verifier's
// business but the tracker's.
//
// Tested by hlo_verifier_test.cc and tests/hlo/.
std::vector<Diagnostic> VerifyHlo(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_H_
