// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_PRINTER_H_
#define FERRY_HLO_HLO_PRINTER_H_

#include <string>

#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_print_options.h"
#include "ferry/hlo/neighborhood.h"

namespace ferry {

// A module as HLO text, byte for byte as XLA's printer writes it.
//
// Computations come in XLA's order; so do the instructions of those that have
// no schedule: modules without one, and the bodies of fusions. All others keep
// the stored order. Linear in what is printed.
// Tested by hlo_printer_test.cc and tests/hlo/print*.hlo.
std::string HloToString(
    const HloModule& module,
    const HloPrintOptions& options = HloPrintOptions::Full());
// One computation, and the part of one that is near an instruction: a comment
// stands for what is left out.
std::string HloToString(
    const HloComputation& computation,
    const HloPrintOptions& options = HloPrintOptions::Full());
std::string HloToString(
    const Neighborhood& part,
    const HloPrintOptions& options = HloPrintOptions::Full());
// One instruction, without indentation or line end; "ROOT " in front of roots.
std::string HloToString(
    const HloInstruction& instruction,
    const HloPrintOptions& options = HloPrintOptions::Full());

}  // namespace ferry

#endif  // FERRY_HLO_HLO_PRINTER_H_
