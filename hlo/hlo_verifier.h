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
// | code  | holds                                         | verify_*.cc
// | ----- | --------------------------------------------- | ----------------
// | F1007 | operands are as many as the opcode takes      | (hlo_verifier.cc)
// | F1101 | results are what operands and callees make    | results,
// |       |                                               | generators,
// |       |                                               | elementwise,
// |       |                                               | collectives,
// |       |                                               | transfers
// | F1102 | called computations fit their callers         | callees
// | F1103 | the entry fits entry_computation_layout       | entry
// | F1104 | aliases exist, once each, and fit; must-alias | entry,
// |       | pairs are equal, memory space included        | output_aliasing
// | F1105 | asynchronous chains and transfers are whole   | async, transfers
// | F1106 | no computation calls itself                   | (hlo_verifier.cc)
// | F1107 | layouts fit their arrays                      | layouts, entry
// | F1108 | operands stand above, in the same computation | (hlo_verifier.cc)
// | F1109 | operands make a result at all                 | results,
// |       |                                               | generators,
// |       |                                               | callees,
// |       |                                               | collectives
// | F1110 | nothing is broadcast silently                 | elementwise
// | F1111 | collectives have whole groups, and channels   | collectives,
// |       | of their own                                  | channels
// | F1112 | b(...) values have one writer and one shape   | buffers
// | F1113 | slices stay in their memory                   | memory_spaces
// | F1114 | shardings have the tree and rank of the shape | shardings
// | F1115 | an async-start wraps one operation            | async
//
// "Fit" means compatible: same tree, types and sizes. Layouts, memory spaces
// and dynamic flags may differ. Before layout assignment, which a schedule or
// tiles tell, two floating-point types do too; from there on XLA lets
// precisions mix. Names are unique and parameters dense by construction
// (hlo_module.h). What else lives where is the tracker's business.
//
// Tested by hlo_verifier_test.cc, verify_results_test.cc and tests/hlo/.
std::vector<Diagnostic> VerifyHlo(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_H_
