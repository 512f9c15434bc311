// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_FLATTENED_SCHEDULE_H_
#define FERRY_MEMORY_FLATTENED_SCHEDULE_H_

#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/memory/live_range.h"

namespace ferry {

// One clock for the whole program: the instructions of the entry in the order
// in which they run, with those of the computations that call, conditional,
// async-start and while run set in front of the one that runs them.
//
//   ENTRY:  x, w = while(x), condition=c, body=b, y
//
//   time    0    1 2 3    4 5 6 7   8   9
//           x    (c ...)  (b ....)  w   y
//
// The branches of a conditional stand one after another, and a loop's body
// once. A computation that is called several times stands in front of the
// first of its callers. Fusion bodies and combiners have no times.
//
// Instructions are taken in the order of their lists, which is the schedule of
// a scheduled module. Tested by flattened_schedule_test.cc.
class FlattenedSchedule {
 public:
  // Linear in instructions; the depth of calls costs no stack.
  static FlattenedSchedule Build(const HloModule& module);

  // Of an instruction that does not run.
  static constexpr LogicalTime kNever = -1;

  LogicalTime size() const { return sequence_.size(); }
  const HloInstruction& At(LogicalTime time) const { return *sequence_[time]; }
  absl::Span<const HloInstruction* const> sequence() const { return sequence_; }
  LogicalTime TimeOf(const HloInstruction& instruction) const {
    return times_[instruction.id()];
  }
  // From the time of its first instruction, which may be one of a computation
  // that it calls, to one past its last; empty at kNever if it does not run.
  LiveRange SpanOf(const HloComputation& computation) const {
    return spans_[computation.id()];
  }
  // One past the last time at which the computation may run: the end of its
  // span, unless another caller calls it again, or it runs asynchronously and
  // lives until the async-done.
  LogicalTime LastEndOf(const HloComputation& computation) const {
    return last_ends_[computation.id()];
  }

 private:
  FlattenedSchedule() = default;
  void Flatten(const HloModule& module);
  void FindLastEnds();

  std::vector<const HloInstruction*> sequence_;
  std::vector<LogicalTime> times_;      // by InstructionId
  std::vector<LiveRange> spans_;        // by ComputationId
  std::vector<LogicalTime> last_ends_;  // by ComputationId
};

}  // namespace ferry

#endif  // FERRY_MEMORY_FLATTENED_SCHEDULE_H_
