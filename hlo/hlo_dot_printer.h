// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_DOT_PRINTER_H_
#define FERRY_HLO_HLO_DOT_PRINTER_H_

#include <string>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/neighborhood.h"

namespace ferry {

// A module, or a part of one, as a graph for Graphviz:
//
//   ferry-opt m.hlo --print-format=dot | dot -Tsvg > m.svg
//
// A box is a computation, in it an instruction is a node: its name, its shape
// without layout, what it does. The body of a fusion is a box in the place of
// the fusion, if it is shown and no other fusion has it. Colours tell the kind:
//
//   parameter   orange   matrix product  blue     call, loop      violet
//   constant    white    collective      brown    custom call     pink
//   elementwise yellow   copy, transfer  red      all else        grey
//   data layout green
//
// Edges go from operands to users and tell the memory space of what they carry
// where it is not the default one. Dotted: control predecessors. Dashed: a
// called computation, from its root to the caller. Same module, same bytes.
// Tested by hlo_dot_printer_test.cc and tests/hlo/dot.hlo.
std::string HloToDot(const HloModule& module);
std::string HloToDot(const HloComputation& computation);
std::string HloToDot(const Neighborhood& part);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_DOT_PRINTER_H_
