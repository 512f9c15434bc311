// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_PRINTER_H_
#define FERRY_HLO_HLO_PRINTER_H_

#include <string>

#include "ferry/hlo/hlo_module.h"

namespace ferry {

// A module as HLO text, in the style of XLA's printer.
// Tested by hlo_printer_test.cc and tests/hlo/print.hlo.

// How to write a module as text; the defaults lose nothing.
struct HloPrintOptions {
  bool percent = true;          // `%` on names
  bool large_constants = true;  // else `{...}` beyond ten elements
  bool operand_shapes = false;
  bool metadata = true;  // and the stack-frame tables
  bool backend_config = true;
  bool control_predecessors = true;
  bool signatures = true;      // `(p: f32[2]) -> f32[2]`
  bool async_sugar = true;     // `call-start(..)`, not `async-start(..)`
  bool index_comments = true;  // `/*index=5*/` on operands
};

std::string HloToString(const HloModule& module,
                        const HloPrintOptions& options = {});
// One instruction, without indentation or line end; "ROOT " in front of roots.
std::string HloToString(const HloInstruction& instruction,
                        const HloPrintOptions& options = {});

}  // namespace ferry

#endif  // FERRY_HLO_HLO_PRINTER_H_
