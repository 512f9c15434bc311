// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_LIVE_RANGE_H_
#define FERRY_MEMORY_LIVE_RANGE_H_

#include <cstdint>

namespace ferry {

// An index into the flattened schedule of a module; in other problems any
// clock that only goes up.
using LogicalTime = int64_t;

// When bytes must exist: half-open, so ranges that only touch may share bytes.
//
//   t       0     1     2     3     4
//   p0      |===========|                 [0, 2)
//   add           |=================|     [1, 4)  overlaps p0
//   copy                |===========|     [2, 4)  may reuse the bytes of p0
struct LiveRange {
  LogicalTime start = 0;
  LogicalTime end = 0;

  bool IsEmpty() const { return start >= end; }
  // Whether there is a moment at which both are live.
  bool Overlaps(LiveRange other) const {
    return start < other.end && other.start < end && !IsEmpty() &&
           !other.IsEmpty();
  }
  friend bool operator==(LiveRange, LiveRange) = default;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_LIVE_RANGE_H_
