// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PRINTED_INSTRUCTION_COUNT_H_
#define FERRY_HLO_PRINTED_INSTRUCTION_COUNT_H_

#include <cstdint>

#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_print_options.h"

namespace ferry {

// How many instructions the print of a module has: with bodies written out
// where they are called (the canonical form), that may be far more than the
// module has. A chain of computations that each call the next one twice,
//
//   g0 { .. g1 .. g1 }   g1 { .. g2 .. g2 }   ...   g64
//
// has 2^64. UINT64_MAX if it is that many or more. Linear in the module.
// Tested by printed_instruction_count_test.cc.
uint64_t PrintedInstructionCount(const HloModule& module,
                                 const HloPrintOptions& options);

}  // namespace ferry

#endif  // FERRY_HLO_PRINTED_INSTRUCTION_COUNT_H_
