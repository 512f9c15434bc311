// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HLO_LIVE_RANGE_H_
#define FERRY_MEMORY_HLO_LIVE_RANGE_H_

#include <cstddef>
#include <vector>

#include "absl/types/span.h"
#include "ferry/memory/flattened_schedule.h"
#include "ferry/memory/hlo_alias_analysis.h"
#include "ferry/memory/hlo_dataflow_analysis.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/live_range.h"

namespace ferry {

// When each value of a program must exist, on the clock of its
// FlattenedSchedule. A value is there
//
//   from   the time of the instruction that makes it; a parameter from the
//          start of its computation
//   up to  the last instruction that has it or reads it, that one included;
//          if it is a result of its computation, to where the caller runs; if
//          it is a result of the entry, or an argument that is not given away,
//          to the end of the program
//
// A value that goes into a loop ends where the parameter of the loop begins:
// of the values of one buffer each hands over to the next one.
//
// Both kinds of ends are here. The ranges of XLA's dump have the time of the
// last reader (`p0{}:0-1`); RangeOf() is half-open, one more. Values of
// computations that have no times, as combiners, have no range.
// Tested by hlo_live_range_test.cc.
class HloLiveRange {
 public:
  // Near-linear in positions and uses.
  static HloLiveRange Run(const HloDataflowAnalysis& dataflow,
                          const HloAliasAnalysis& aliases,
                          const FlattenedSchedule& schedule);

  // Empty at FlattenedSchedule::kNever if the value has no times. An end may
  // be one beyond the size of the schedule.
  LiveRange RangeOf(ValueId value) const {
    const XlaRange range = ranges_[value];
    if (range.start == FlattenedSchedule::kNever) {
      return {range.start, range.start};
    }
    return {range.start, range.end + 1};
  }

  // As XLA's dump has it: the time of the last reader, or the size of the
  // schedule if the value lives to the end.
  struct XlaRange {
    LogicalTime start = FlattenedSchedule::kNever;
    LogicalTime end = FlattenedSchedule::kNever;
    friend bool operator==(const XlaRange&, const XlaRange&) = default;
  };
  XlaRange XlaRangeOf(ValueId value) const { return ranges_[value]; }

 private:
  HloLiveRange() = default;

  std::vector<XlaRange> ranges_;  // by ValueId
};

}  // namespace ferry

#endif  // FERRY_MEMORY_HLO_LIVE_RANGE_H_
