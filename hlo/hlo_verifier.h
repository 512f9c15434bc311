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
// | F1007 | operands are as many as the opcode takes    | hlo_verifier.cc
// | F1101 | results are what operands and callees make    | verify_results.cc
// |       |                                               | verify_generators
// |       |                                               | verify_transfers
// | F1102 | called computations fit their callers         | verify_callees.cc
// | F1103 | the entry fits entry_computation_layout       | verify_entry.cc
// | F1104 | aliases exist, once each; must-alias pairs    | verify_entry.cc
// |       | are equal, memory space included              | and _output_...
// | F1105 | asynchronous chains are whole                 | verify_async.cc
// | F1106 | no computation calls itself                   | hlo_verifier.cc
// | F1107 | layouts fit their arrays                      | verify_layouts.cc
// | F1108 | operands stand above, in the same computation | hlo_verifier.cc
// | F1109 | operands make a result at all                 | verify_results.cc
// | F1110 | nothing is broadcast silently                 | _elementwise.cc
// | F1111 | collectives have whole groups and channels    | _collectives.cc
// | F1112 | b(...) values have one writer and one shape   | verify_buffers.cc
// | F1113 | slices stay in their memory                   | _memory_spaces.cc
// | F1114 | shardings have the tree and rank of the shape | _shardings.cc
//
// "Fit" means compatible: same tree, types and sizes. Layouts, memory spaces
// and dynamic flags may differ. Before layout assignment, which a schedule or
// tiles tell, two floating-point types do too; from there on XLA lets
// precisions mix. Names are unique and parameters dense by construction
// (hlo_module.h). What else lives where is the tracker's business.
//
// Tested by hlo_verifier_test.cc and tests/hlo/.
std::vector<Diagnostic> VerifyHlo(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_VERIFIER_H_
