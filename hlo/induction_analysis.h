// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_INDUCTION_ANALYSIS_H_
#define FERRY_HLO_INDUCTION_ANALYSIS_H_

#include <cstdint>
#include <optional>

#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

// How often loops run. Dumps of the compiler say it nowhere, but a loop that
// came from a scan counts:
//
//   init       (s32[] 0, ...)          start  = 0
//   condition  compare(i, 32), LT      bound  = 32
//   body       (i + 1, ...)            step   = 1    -> 32 iterations
//
// Each of the numbers may come a long way: through tuples, loop slots that the
// body hands on unchanged (of outer loops too), copies, conversions that lose
// nothing, additions of constants, fusions and calls.
// Tested by induction_analysis_test.cc.

// One integer, or one whose value in iteration k is start + k * step.
struct InductionVariable {
  int32_t ordinal = 0;  // of the slot in the loop's shape
  int64_t start = 0;
  int64_t step = 0;
};

// The variable that `loop`, a while, decides on; nullopt if its condition is
// anything but a comparison of one with a constant.
std::optional<InductionVariable> FindInductionVariable(
    const HloInstruction& loop);

// How often the body of `loop`, a while, runs: what `known_trip_count` in its
// backend_config says, else what its induction variable shows. Nullopt if that
// is not known, or if the loop would not end.
//
// Takes a bounded number of steps, and no stack for the depth of the input.
std::optional<int64_t> FindTripCount(const HloInstruction& loop);

}  // namespace ferry

#endif  // FERRY_HLO_INDUCTION_ANALYSIS_H_
