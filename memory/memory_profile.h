// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_MEMORY_PROFILE_H_
#define FERRY_MEMORY_MEMORY_PROFILE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/layout.h"
#include "ferry/memory/buffer_assignment.h"
#include "ferry/memory/buffer_groups.h"
#include "ferry/memory/hlo_value.h"
#include "ferry/memory/live_range.h"
#include "ferry/memory/piece_coverage.h"

namespace ferry {

// How many bytes of one memory space are live over the time of the program.
struct SpaceProfile {
  MemorySpace space = MemorySpace::kDefault;
  // Constants and the scratch of combiners, which are there all the time.
  int64_t static_bytes = 0;
  // All else: the sum of the steps up to a time is live from it on.
  std::vector<CoverageStep> steps;
  // The most at one time, `static_bytes` included, and the first such time.
  int64_t peak_bytes = 0;
  LogicalTime peak_time = 0;

  int64_t BytesAt(LogicalTime time) const;
};

// What is live at some moment: the values of one group, which share bytes.
struct LiveBuffer {
  GroupId group = 0;
  // The one that is live then; the latest made of several.
  ValueId value = 0;
  int64_t size_bytes = 0;
  // From when to when the bytes are in use without a gap.
  LiveRange live;
  // The last time up to the moment, and the first one after it, at which some
  // instruction makes or reads one of the values (a loop or call that passes
  // it on, too); a result of the program is touched at its end. Far apart: it
  // waits. kNever, if there is none.
  LogicalTime last_touch = FlattenedSchedule::kNever;
  LogicalTime next_touch = FlattenedSchedule::kNever;
};

// The bytes of each memory space over the flattened schedule. Values that
// share bytes count once; branches do not run at the same time; a loop's body
// stands once for all its trips. Each is no more than the allocations of its
// space, and packing adds gaps to it.
//
// Near-linear in positions. `assignment` must outlive it.
// Tested by memory_profile_test.cc.
class MemoryProfile {
 public:
  explicit MemoryProfile(const BufferAssignment& assignment);

  // By memory space, ascending; those of BufferAssignment::spaces().
  absl::Span<const SpaceProfile> spaces() const { return spaces_; }
  const SpaceProfile* FindSpace(MemorySpace space) const;

  // The largest first, then by value. What is always there is not in it.
  std::vector<LiveBuffer> LiveAt(MemorySpace space, LogicalTime time) const;

 private:
  bool IsStatic(GroupId group) const;
  std::vector<BufferPiece> PiecesOf(GroupId group) const;
  LiveBuffer Describe(GroupId group, LogicalTime time) const;
  void FindTouches(LiveBuffer& buffer, LogicalTime time) const;

  const BufferAssignment& assignment_;
  std::vector<SpaceProfile> spaces_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_MEMORY_PROFILE_H_
